-- Adds more tasks to the list of a server's tasks.
-- KEYS workers
-- ARGV[1] life of the list, s; [2…] task id, worker info, … at most 1,000 tasks
-- Returns the number of tasks given.
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('EXPIRE', KEYS[1], ARGV[1])
return (#ARGV - 1) / 2
