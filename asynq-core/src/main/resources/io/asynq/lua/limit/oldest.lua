-- Reads since when tasks of a queue wait.
-- KEYS waiting, see wake
-- ARGV[1] how many needs at most
-- Returns three for each of the needs: needs; how many tasks wait; since when the first waits, µs.
local answer = {}
for _, needs in ipairs(must('ZRANGE', KEYS[1], '0', ARGV[1] - 1)) do
  local line = KEYS[1] .. ':' .. needs
  local first = must('ZRANGE', line, '0', '0', 'WITHSCORES')
  if first[2] then
    answer[#answer + 1], answer[#answer + 2], answer[#answer + 3] = needs, must('ZCARD', line), first[2]
  end
end
return answer
