-- Stores one pending task, with the effect of asynq's own enqueue.
--
-- KEYS[1] task hash  asynq:{queue}:t:<id>
-- KEYS[2] pending    asynq:{queue}:pending
-- ARGV[1] task id
-- ARGV[2] message
-- ARGV[3] present time, ns
--
-- Returns 1 stored, 0 the id is taken; nothing is written but for 1.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'msg', ARGV[2], 'state', 'pending', 'pending_since', ARGV[3])
redis.call('LPUSH', KEYS[2], ARGV[1])
return 1
