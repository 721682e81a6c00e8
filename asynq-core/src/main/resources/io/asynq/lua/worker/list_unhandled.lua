-- Lists types of a queue whose tasks wait for a handler, those first that were put off least. Types without tasks are
-- removed.
-- KEYS unhandled
-- ARGV[1] how many at most
-- Returns three for each type: type, how many tasks wait, until when those that waited then are put off, s.
local answer, types = {}, must('ZRANGE', KEYS[1], 0, ARGV[1] - 1, 'WITHSCORES')
for i = 1, #types, 2 do
  local tasks = must('ZCARD', KEYS[1] .. ':' .. types[i])
  if tasks == 0 then
    redis.call('ZREM', KEYS[1], types[i])
  else
    answer[#answer + 1], answer[#answer + 2], answer[#answer + 3] = types[i], tasks, tonumber(types[i + 1])
  end
end
return answer
