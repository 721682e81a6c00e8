-- Counts waiting tasks of a queue.
-- KEYS waiting, see wake
-- ARGV[1] how many needs to pass over; [2] how many at most
-- Returns two for each of the needs: needs; how many tasks wait.
local answer = {}
for _, needs in ipairs(must('ZRANGE', KEYS[1], ARGV[1], ARGV[1] + ARGV[2] - 1)) do
  answer[#answer + 1], answer[#answer + 2] = needs, must('ZCARD', KEYS[1] .. ':' .. needs)
end
return answer
