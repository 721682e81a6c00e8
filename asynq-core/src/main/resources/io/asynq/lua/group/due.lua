-- Finds due groups among some groups of a queue.
-- KEYS groups
-- ARGV[1] cursor, "0" at first; [2] prefix of groups; [3] present time; [4] longest time without a new task, s; [5]
-- longest time that a task waits, s, 0 for any; [6] how many tasks are enough, 0 for no number; [7] about how many
-- groups to look at
-- Returns {next cursor, "0" at the end; time until the first of the others is due, ms, a day at most, or ""; due group,
-- …}.
local now, _, exact = present(ARGV[3])
local grace, max_delay, max_size = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local page = must('SSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[7])
local answer, earliest = {page[1], ''}, nil

for _, name in ipairs(page[2]) do
  local group = ARGV[2] .. name
  local at = kind(group) == 'zset' and due_at(group, redis.call('ZCARD', group), now, grace, max_delay, max_size)
  if at and at <= now then
    answer[#answer + 1] = name
  elseif at and (not earliest or at < earliest) then
    earliest = at
  end
end
answer[2] = earliest and string.format('%.0f', math.ceil(math.max(0, math.min(earliest - exact, 86400)) * 1000)) or ''
return answer
