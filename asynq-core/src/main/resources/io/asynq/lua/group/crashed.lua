-- Counts the aggregators that went down with their servers: their sets went back some time ago, and no server has
-- reported their end.
-- KEYS aggregators, "time|server" by staged set; crashes, by group
-- ARGV[1] present time; [2] prefix of groups; [3] how long to wait for the report of a live server, s
-- Returns how many were counted.
local sets, latest, counted = must('HKEYS', KEYS[1]), present(ARGV[1]) - tonumber(ARGV[3]), 0
must('HGET', KEYS[2], '')
for _, set in ipairs(sets) do
  local group = group_of(ARGV[2], set)
  local ends, server = note_of(KEYS[1], set)
  if not group or not ends then
    redis.call('HDEL', KEYS[1], set)
  elseif tonumber(ends) <= latest then
    redis.call('HDEL', KEYS[1], set)
    count_crash(KEYS[2], group, server, ends)
    counted = counted + 1
  end
end
return counted
