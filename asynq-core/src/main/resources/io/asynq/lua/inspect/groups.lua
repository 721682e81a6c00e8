-- Reads one slice of a queue's groups.
-- KEYS groups
-- ARGV[1] cursor, "0" to begin; [2] prefix of groups; [3] about how many groups; [4] which of them to tell: "all",
-- "empty", or "none"
-- Returns {next cursor, "0" at the end; number of tasks in all of the slice; name, number of tasks, …}; no groups when
-- groups is no set.
if kind(KEYS[1]) ~= 'set' then return {'0', 0} end
local slice = redis.call('SSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[3])
local answer = {slice[1], 0}
for _, group in ipairs(slice[2]) do
  local tasks = redis.pcall('ZCARD', ARGV[2] .. group)
  local number = type(tasks) == 'number' and tasks or 0
  answer[2] = answer[2] + number
  if ARGV[4] == 'all' or ARGV[4] == 'empty' and tasks == 0 then
    answer[#answer + 1], answer[#answer + 2] = group, number
  end
end
return answer
