-- Lists active ids that have no lease, among one slice of the list.
-- KEYS active, lease
-- ARGV first index; last index
-- Returns {length of the slice, id, …}.
local ids = must('LRANGE', KEYS[1], ARGV[1], ARGV[2])
must('ZCARD', KEYS[2])
local answer = {#ids}
for _, id in ipairs(ids) do
  if not redis.call('ZSCORE', KEYS[2], id) then
    answer[#answer + 1] = id
  end
end
return answer
