-- Stores one task for later that holds a unique lock from now on. The lock is taken once the id is
-- known to be free, so that an id that is taken leaves no lock behind. For its group see schedule.
--
-- KEYS[1] task hash  asynq:{queue}:t:<id>
-- KEYS[2] scheduled  asynq:{queue}:scheduled
-- KEYS[3] lock       asynq:{queue}:unique:<type>:<digest>
-- ARGV[1] task id
-- ARGV[2] message
-- ARGV[3] when, s
-- ARGV[4] group, "" for none
-- ARGV[5] life of the lock, s
--
-- Returns 1 stored, 0 the id is taken, -1 the lock is held, -2 scheduled is no sorted set;
-- nothing is written but for 1.
if not fits(KEYS[2], 'zset') then
  return -2
end
if redis.call('EXISTS', KEYS[3]) == 1 then
  return -1
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('SET', KEYS[3], ARGV[1], 'EX', ARGV[5])
redis.call('HSET', KEYS[1], 'msg', ARGV[2], 'state', 'scheduled', 'unique_key', KEYS[3])
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[1], 'x-group', ARGV[4])
end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 1
