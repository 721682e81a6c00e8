-- Gives a staged set back to its group early, unless another server has.
-- KEYS group, staged set, aggregation sets, groups
-- ARGV group
-- Returns 1 given back, 0 it is not staged any more.
for i = 1, 3 do
  must('ZCARD', KEYS[i])
end
must('SCARD', KEYS[4])
if redis.call('ZREM', KEYS[3], KEYS[2]) == 0 then return 0 end
if redis.call('EXISTS', KEYS[2]) == 1 then
  merge(KEYS[2], KEYS[1])
  redis.call('SADD', KEYS[4], ARGV[1])
end
return 1
