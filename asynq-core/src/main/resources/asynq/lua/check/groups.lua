-- Looks for names of groups that have no task.
--
-- KEYS[1] groups  asynq:{queue}:groups
-- ARGV[1] cursor, "0" at first
-- ARGV[2] prefix of groups
-- ARGV[3] how many names to look at
--
-- Returns {next cursor, name, …}; nothing when groups is no set.
if kind(KEYS[1]) ~= 'set' then
  return {'0'}
end
local page = redis.call('SSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[3])
local answer = {page[1]}
for _, name in ipairs(page[2]) do
  if redis.call('EXISTS', ARGV[2] .. name) == 0 then
    answer[#answer + 1] = name
  end
end
return answer
