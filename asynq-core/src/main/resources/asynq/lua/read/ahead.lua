-- Counts the entries of a sorted set by when they are due.
-- KEYS sorted set by due time
-- ARGV[1] present time; [2] length of a step, s; [3] how many steps
-- Returns how many are due in each step, those that are due already in the first.
local now = present(ARGV[1])
local step, answer, from = tonumber(ARGV[2]), {}, '-inf'
for i = 1, tonumber(ARGV[3]) do
  local to = string.format('%.0f', now + i * step)
  answer[i] = ask('ZCOUNT', KEYS[1], from, to) or 0
  from = '(' .. to
end
return answer
