-- Notes that an entry's fire was enqueued; keeps the thousand latest.
--
-- KEYS[1] history  asynq:scheduler_history:<entry>
-- ARGV[1] present time, s
-- ARGV[2] event
-- ARGV[3] life of the history, s
--
-- Returns 1, or -2 if the history is no sorted set.
if not fits(KEYS[1], 'zset') then
  return -2
end
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1000)
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
