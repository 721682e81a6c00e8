-- Counts waiting tasks of a queue.
-- KEYS waiting, see promote; promised, see complete/wait
-- ARGV[1] how many needs to pass over; [2] how many at most; [3] present time
-- Returns how many tasks wait for a promised moment, and two for each of the needs: needs; how many tasks wait.
local seconds = present(ARGV[3])
local answer = {must('ZCOUNT', KEYS[2], '(' .. string.format('%.0f', seconds), '+inf')}
for _, needs in ipairs(must('ZRANGE', KEYS[1], ARGV[1], ARGV[1] + ARGV[2] - 1)) do
  answer[#answer + 1] = needs
  answer[#answer + 1] = must('ZCARD', KEYS[1] .. ':' .. needs)
end
return answer
