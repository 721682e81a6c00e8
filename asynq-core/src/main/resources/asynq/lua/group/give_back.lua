-- Gives a staged set back to its group before its time, if nobody has done so.
--
-- KEYS[1] group             asynq:{queue}:g:<group>
-- KEYS[2] staged set        asynq:{queue}:g:<group>:<set>
-- KEYS[3] aggregation sets  asynq:{queue}:aggregation_sets
-- KEYS[4] groups            asynq:{queue}:groups
-- ARGV[1] group
--
-- Returns 1 given back, 0 it is not staged any more, -2 a key has the wrong type.
if not fits(KEYS[1], 'zset') or not fits(KEYS[2], 'zset') or not fits(KEYS[3], 'zset') or not fits(KEYS[4], 'set') then
  return -2
end
if redis.call('ZREM', KEYS[3], KEYS[2]) == 0 then
  return 0
end
if redis.call('EXISTS', KEYS[2]) == 1 then
  merge(KEYS[2], KEYS[1])
  redis.call('SADD', KEYS[4], ARGV[1])
end
return 1
