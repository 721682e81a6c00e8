-- Records that an entry's fire was enqueued; keeps the latest thousand.
-- KEYS history of the entry
-- ARGV present time, s; event; life of the history, s
-- Returns 1.
must('ZREMRANGEBYRANK', KEYS[1], 0, -1000)
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
