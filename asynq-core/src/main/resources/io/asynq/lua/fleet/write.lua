-- Writes or renews a server's entry and replaces the list of its tasks. More may follow in further calls.
-- KEYS server, workers, wish, held
-- ARGV[1] life of all, s; [2] server info; [3] how many tasks it holds of which queue; [4…] task id, worker info, … at
-- most 1,000 tasks
-- Returns {what is asked of the server}, {} for nothing. It stays until it expires, so that no lost answer loses it.
redis.call('SETEX', KEYS[1], ARGV[1], ARGV[2])
redis.call('SETEX', KEYS[4], ARGV[1], ARGV[3])
redis.call('DEL', KEYS[2])
if #ARGV > 3 then
  redis.call('HSET', KEYS[2], unpack(ARGV, 4))
  redis.call('EXPIRE', KEYS[2], ARGV[1])
end
local wish = redis.pcall('GET', KEYS[3])
return type(wish) == 'string' and { wish } or {}
