-- Notes that an aggregator is about to begin with a staged set.
--
-- KEYS[1] aggregators  asynqj:{queue}:aggregators, "time|server" by staged set
-- KEYS[2] crashes      asynqj:{queue}:aggregator-crashes, by group
-- ARGV[1] staged set
-- ARGV[2] group
-- ARGV[3] the server, host and process id
-- ARGV[4] when the set goes back to its group, s
--
-- Returns {how many servers the group's aggregator has taken down, "a|b,c,…" for a of them with
-- servers and times, s; "" for none}, {"-2"} when a key has the wrong type.
if not fits(KEYS[1], 'hash') or not fits(KEYS[2], 'hash') then
  return {'-2'}
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4] .. '|' .. string.gsub(ARGV[3], ',', '_'))
redis.call('EXPIRE', KEYS[1], 86400)
return {redis.call('HGET', KEYS[2], ARGV[2]) or ''}
