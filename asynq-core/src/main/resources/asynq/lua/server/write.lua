-- Writes or renews a server's entry and replaces the list of its tasks. More may follow in further calls.
-- KEYS server, workers
-- ARGV[1] life of both, s; [2] server info; [3…] task id, worker info, … at most 1,000 tasks
-- Returns the number of tasks given.
redis.call('SETEX', KEYS[1], ARGV[1], ARGV[2])
redis.call('DEL', KEYS[2])
if #ARGV > 2 then
  redis.call('HSET', KEYS[2], unpack(ARGV, 3))
  redis.call('EXPIRE', KEYS[2], ARGV[1])
end
return (#ARGV - 2) / 2
