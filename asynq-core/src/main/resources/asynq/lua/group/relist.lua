-- Makes groups visible again, a bounded number at a time: lists those into which a task may
-- have been forwarded without listing them, and gives back what was staged for an aggregation
-- that nobody ended in time.
--
-- KEYS[1] groups            asynq:{queue}:groups
-- KEYS[2] aggregation sets  asynq:{queue}:aggregation_sets
-- KEYS[3] grouped later     asynqj:{queue}:groups, sorted by when a task is due
-- ARGV[1] present time, s
-- ARGV[2] prefix of groups
-- ARGV[3] what was due by then has been forwarded, s
-- ARGV[4] how many of each at most
--
-- Returns {groups listed, sets given back}, {-2} when groups or aggregation sets has the wrong
-- type.
if not fits(KEYS[1], 'set') or not fits(KEYS[2], 'zset') then
  return {-2}
end
local function list(group)
  return kind(ARGV[2] .. group) == 'zset' and redis.call('SADD', KEYS[1], group) or 0
end

local listed, returned = 0, 0
if kind(KEYS[3]) == 'zset' then
  local due = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[4])
  for i = 1, #due, 2 do
    listed = listed + list(due[i])
    if tonumber(due[i + 1]) <= tonumber(ARGV[3]) then
      redis.call('ZREM', KEYS[3], due[i])
    end
  end
end
for _, key in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, ARGV[4])) do
  local group = string.match(string.sub(key, #ARGV[2] + 1), '^(.*):[^:]*$')
  if group and string.sub(key, 1, #ARGV[2]) == ARGV[2] and fits(ARGV[2] .. group, 'zset') then
    if kind(key) == 'zset' then
      redis.call('ZUNIONSTORE', ARGV[2] .. group, 2, ARGV[2] .. group, key, 'AGGREGATE', 'MIN')
      redis.call('DEL', key)
      returned = returned + 1
    end
    list(group)
  end
  redis.call('ZREM', KEYS[2], key)
end
return {listed, returned}
