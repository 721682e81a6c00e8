-- Reads counters of days.
-- KEYS processed and failed of each day
-- ARGV how many
-- Returns their texts; "" for one that does not exist or is no counter.
local answer = {}
for i = 1, tonumber(ARGV[1]) do
  local text = redis.pcall('GET', KEYS[i])
  answer[i] = type(text) == 'string' and text or ''
end
return answer
