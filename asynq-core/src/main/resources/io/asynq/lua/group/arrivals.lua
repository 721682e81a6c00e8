-- Reads when some tasks of a group that joined it in one second have arrived.
-- KEYS group
-- ARGV[1] the second; [2] prefix of task hashes; [3] how many to skip; [4] how many at most
-- Returns two for each: id; x-arrived, see lib/arrivals, or "".
local answer = {}
for _, id in ipairs(must('ZRANGEBYSCORE', KEYS[1], ARGV[1], ARGV[1], 'LIMIT', ARGV[3], ARGV[4])) do
  local arrived = redis.pcall('HGET', ARGV[2] .. id, 'x-arrived')
  answer[#answer + 1], answer[#answer + 2] = id, type(arrived) == 'string' and arrived or ''
end
return answer
