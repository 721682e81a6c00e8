-- Mends what is wrong with one group, if it is still wrong.
--
-- KEYS[1] groups            asynq:{queue}:groups
-- KEYS[2] group             asynq:{queue}:g:<group>
-- KEYS[3] aggregation sets  asynq:{queue}:aggregation_sets
-- KEYS[4] staged set        asynq:{queue}:g:<group>:<set>, absent but for a forgotten one
-- ARGV[1] group
-- ARGV[2] g:<group>:<set>, "" if there is no forgotten one: on a cluster KEYS has one more than a
--   script names
-- ARGV[3] prefix of the queue's keys
--
-- Returns 1 mended, 0 nothing to mend, -2 a key has the wrong type.
if not fits(KEYS[1], 'set') or not fits(KEYS[2], 'zset') or not fits(KEYS[3], 'zset') then
  return -2
end
local mended = 0
if ARGV[2] ~= '' then
  if kind(KEYS[4]) ~= 'zset' or redis.call('ZSCORE', KEYS[3], KEYS[4])
    or scored(aggregated(ARGV[3]), KEYS[4])
    or redis.call('SISMEMBER', KEYS[1], string.sub(ARGV[2], 3)) == 1 or group_of_first(ARGV[3], KEYS[4]) ~= ARGV[1] then
    return 0
  end
  merge(KEYS[4], KEYS[2])
  redis.call('ZREM', KEYS[3], KEYS[4])
  mended = 1
end
local exists = redis.call('EXISTS', KEYS[2])
local changed = redis.call(exists == 1 and 'SADD' or 'SREM', KEYS[1], ARGV[1])
return math.max(mended, changed)
