-- Writes rules of limits.
-- KEYS rules, see limits
-- ARGV two for each rule: name, with "!" before it for a change that servers do not undo; rule, "" to remove it
-- Returns how many rules there are.
for i = 1, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', KEYS[1], ARGV[i])
  elseif must('HGET', KEYS[1], ARGV[i]) ~= ARGV[i + 1] then
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  end
end
return #ARGV / 2
