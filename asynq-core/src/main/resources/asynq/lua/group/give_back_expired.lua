-- Gives back what was staged for an aggregation that nobody ended in time, a bounded number of
-- sets at a time.
--
-- KEYS[1] groups            asynq:{queue}:groups
-- KEYS[2] aggregation sets  asynq:{queue}:aggregation_sets
-- ARGV[1] present time, ns, "" for that of Redis
-- ARGV[2] prefix of groups
-- ARGV[3] how many sets at most
--
-- Returns {sets looked at, sets given back}, {-2} when a key has the wrong type. No set that was
-- looked at is listed any more.
if not fits(KEYS[1], 'set') or not fits(KEYS[2], 'zset') then
  return {-2}
end
local now, returned = present(ARGV[1]), 0
local expired = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ARGV[3])
for _, key in ipairs(expired) do
  local group = group_of(ARGV[2], key)
  if group and fits(ARGV[2] .. group, 'zset') then
    if kind(key) == 'zset' then
      merge(key, ARGV[2] .. group)
      returned = returned + 1
    end
    list(KEYS[1], ARGV[2], group)
  end
  redis.call('ZREM', KEYS[2], key)
end
return {#expired, returned}
