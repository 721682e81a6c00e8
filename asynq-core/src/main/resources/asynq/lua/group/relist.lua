-- Makes groups visible again, a bounded number at a time: lists those into which a task may
-- have been forwarded without listing them, and gives back what was staged for an aggregation
-- that nobody ended in time. As Go may be first and does not list the group, groups with staged
-- tasks are noted.
--
-- KEYS[1] groups            asynq:{queue}:groups
-- KEYS[2] aggregation sets  asynq:{queue}:aggregation_sets
-- KEYS[3] grouped later     asynqj:{queue}:groups, sorted by when a task is due, or
--                           staged tasks go back
-- ARGV[1] present time, s
-- ARGV[2] prefix of groups
-- ARGV[3] what was due by then has been forwarded, s
-- ARGV[4] how many of each at most
-- ARGV[5] how many noted groups to pass over
--
-- Returns {groups listed, sets given back, noted groups that were looked at and stay}, {-2} when
-- groups or aggregation sets has the wrong type.
if not fits(KEYS[1], 'set') or not fits(KEYS[2], 'zset') then
  return {-2}
end
local function list(group)
  return kind(ARGV[2] .. group) == 'zset' and redis.call('SADD', KEYS[1], group) or 0
end

local function group_of(key)
  local group = string.match(string.sub(key, #ARGV[2] + 1), '^(.*):[^:]*$')
  return string.sub(key, 1, #ARGV[2]) == ARGV[2] and group
end

local listed, returned, kept = 0, 0, 0
if kind(KEYS[3]) == 'zset' then
  local noted = redis.call('ZRANGE', KEYS[3], ARGV[5], ARGV[5] + ARGV[4] - 1, 'WITHSCORES')
  for i = 1, #noted, 2 do
    listed = listed + list(noted[i])
    if tonumber(noted[i + 1]) <= tonumber(ARGV[3]) then
      redis.call('ZREM', KEYS[3], noted[i])
    else
      kept = kept + 1
    end
  end
end
for _, key in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, ARGV[4])) do
  local group = group_of(key)
  if group and fits(ARGV[2] .. group, 'zset') then
    if kind(key) == 'zset' then
      merge(key, ARGV[2] .. group)
      returned = returned + 1
    end
    list(group)
  end
  redis.call('ZREM', KEYS[2], key)
end
if fits(KEYS[3], 'zset') then
  local staged = redis.call('ZRANGE', KEYS[2], 0, ARGV[4] - 1, 'WITHSCORES')
  for i = 1, #staged, 2 do
    local group = group_of(staged[i])
    if group then
      redis.call('ZADD', KEYS[3], 'GT', staged[i + 1], group)
    end
  end
end
return {listed, returned, kept}
