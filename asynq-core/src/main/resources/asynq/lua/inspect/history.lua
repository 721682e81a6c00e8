-- Reads counters of days.
--
-- KEYS[1…] counters  asynq:{queue}:processed:<day>, asynq:{queue}:failed:<day>
-- ARGV[1] how many
--
-- Returns their texts; "" for one that does not exist or is no counter.
local answer = {}
for i = 1, tonumber(ARGV[1]) do
  local text = redis.pcall('GET', KEYS[i])
  answer[i] = type(text) == 'string' and text or ''
end
return answer
