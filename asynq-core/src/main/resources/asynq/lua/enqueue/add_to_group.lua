-- Stores one task in its group, with or without a unique lock.
--
-- KEYS[1] task hash  asynq:{queue}:t:<id>
-- KEYS[2] group      asynq:{queue}:g:<group>
-- KEYS[3] groups     asynq:{queue}:groups
-- KEYS[4] lock       asynq:{queue}:unique:<type>:<digest>, absent for none
-- ARGV[1] task id
-- ARGV[2] message
-- ARGV[3] present time, ns, "" for that of Redis
-- ARGV[4] group
-- ARGV[5] life of the lock, s, 0 for none: on a cluster KEYS has one more than a script names
--
-- Returns 1 stored, 0 the id is taken, -1 the lock is held, -2 group or groups has the wrong
-- type; nothing is written but for 1.
if not fits(KEYS[2], 'zset') or not fits(KEYS[3], 'set') then
  return -2
end
local unique = ARGV[5] ~= '0'
if unique and redis.call('EXISTS', KEYS[4]) == 1 then
  return -1
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
if unique then
  redis.call('SET', KEYS[4], ARGV[1], 'EX', ARGV[5])
  redis.call('HSET', KEYS[1], 'unique_key', KEYS[4])
end
redis.call('HSET', KEYS[1], 'msg', ARGV[2], 'state', 'aggregating', 'group', ARGV[4])
redis.call('ZADD', KEYS[2], (present(ARGV[3])), ARGV[1])
redis.call('SADD', KEYS[3], ARGV[4])
return 1
