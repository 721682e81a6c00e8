-- Reads ids of a list.
-- KEYS list
-- ARGV first index; last index
-- Returns {length of the list, {id, …}}; {0, {}} when it is no list.
if kind(KEYS[1]) ~= 'list' then return {0, {}} end
return {redis.call('LLEN', KEYS[1]), redis.call('LRANGE', KEYS[1], ARGV[1], ARGV[2])}
