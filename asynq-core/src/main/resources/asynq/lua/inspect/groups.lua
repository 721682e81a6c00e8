-- Reads one slice of a queue's groups.
--
-- KEYS[1] groups  asynq:{queue}:groups
-- ARGV[1] cursor, "0" to begin
-- ARGV[2] prefix of groups
-- ARGV[3] about how many groups
--
-- Returns {next cursor, "0" at the end; name, number of tasks, …}.
if kind(KEYS[1]) ~= 'set' then
  return {'0'}
end
local slice = redis.call('SSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[3])
local answer = {slice[1]}
for _, group in ipairs(slice[2]) do
  local size = redis.pcall('ZCARD', ARGV[2] .. group)
  answer[#answer + 1] = group
  answer[#answer + 1] = type(size) == 'number' and size or 0
end
return answer
