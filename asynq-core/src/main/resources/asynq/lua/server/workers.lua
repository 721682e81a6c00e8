-- Adds to the list of a server's tasks what was too much for one script.
--
-- KEYS[1] workers  asynq:workers:{host:pid:id}
-- ARGV[1] life of the list, s
-- ARGV[2…] task id, worker info, … at most 1,000 tasks
--
-- Returns the number of tasks given.
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('EXPIRE', KEYS[1], ARGV[1])
return (#ARGV - 1) / 2
