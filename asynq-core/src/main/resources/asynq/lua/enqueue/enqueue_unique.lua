-- Stores one pending task that holds a unique lock. The lock is taken once the id is known to be
-- free, so that an id that is taken leaves no lock behind.
--
-- KEYS[1] task hash  asynq:{queue}:t:<id>
-- KEYS[2] pending    asynq:{queue}:pending
-- KEYS[3] lock       asynq:{queue}:unique:<type>:<digest>
-- ARGV[1] task id
-- ARGV[2] message
-- ARGV[3] present time, ns
-- ARGV[4] life of the lock, s
--
-- Returns 1 stored, 0 the id is taken, -1 the lock is held, -2 pending is no list; nothing
-- is written but for 1.
if not fits(KEYS[2], 'list') then
  return -2
end
if redis.call('EXISTS', KEYS[3]) == 1 then
  return -1
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('SET', KEYS[3], ARGV[1], 'EX', ARGV[4])
redis.call('HSET', KEYS[1], 'msg', ARGV[2], 'state', 'pending', 'pending_since', ARGV[3], 'unique_key', KEYS[3])
redis.call('LPUSH', KEYS[2], ARGV[1])
return 1
