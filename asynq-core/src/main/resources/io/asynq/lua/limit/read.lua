-- Reads limits.
-- KEYS rules, see limits
-- ARGV[1] prefix of the keys of limits; [2] how many limits at most
-- Returns {queues whose tasks wait, four for each limit: name, rule, how many tokens are held, how many keys are in
-- use}.
local answer, names = {redis.call('HKEYS', ARGV[1] .. 'queues')}, must('HKEYS', KEYS[1])
table.sort(names)
for _, name in ipairs(names) do
  if string.sub(name, 1, 1) ~= '!' and #answer <= 4 * ARGV[2] then
    local rule = redis.call('HMGET', KEYS[1], '!' .. name, name)
    answer[#answer + 1], answer[#answer + 2] = name, rule[1] or rule[2]
    answer[#answer + 1] = redis.call('ZCARD', ARGV[1] .. 'held:' .. name)
    answer[#answer + 1] = redis.call('ZCARD', ARGV[1] .. 'keys:' .. name)
  end
end
return answer
