-- Records the groups of a slice of the staged sets, because Go may give a set back first, and does not list its group
-- then.
-- KEYS aggregation sets, noted groups
-- ARGV cursor, "0" at first; prefix of groups; about how many sets to look at
-- Returns {next cursor, "0" at the end; groups newly recorded}.
local slice = must('ZSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[3])
if not fits(KEYS[2], 'zset') then return {'0', 0} end
local staged, noted = slice[2], 0
for i = 1, #staged, 2 do
  local group = group_of(ARGV[2], staged[i])
  if group then
    noted = noted + redis.call('ZADD', KEYS[2], 'GT', staged[i + 1], group)
  end
end
return {slice[1], noted}
