-- Notes the groups of a slice of the staged sets, because Go may be first to give a set back, and
-- does not list the group.
--
-- KEYS[1] aggregation sets  asynq:{queue}:aggregation_sets
-- KEYS[2] noted groups      asynqj:{queue}:groups
-- ARGV[1] cursor, "0" at first
-- ARGV[2] prefix of groups
-- ARGV[3] about how many sets to look at
--
-- Returns {next cursor, "0" at the end; groups noted anew}, {"-2", 0} when aggregation sets is no
-- sorted set.
if not fits(KEYS[1], 'zset') then
  return {'-2', 0}
elseif not fits(KEYS[2], 'zset') then
  return {'0', 0}
end
local slice = redis.call('ZSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[3])
local staged, noted = slice[2], 0
for i = 1, #staged, 2 do
  local group = group_of(ARGV[2], staged[i])
  if group then
    noted = noted + redis.call('ZADD', KEYS[2], 'GT', staged[i + 1], group)
  end
end
return {slice[1], noted}
