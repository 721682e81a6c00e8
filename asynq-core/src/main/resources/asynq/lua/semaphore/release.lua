-- Gives a token of a semaphore back, unless another attempt at the task holds it by now.
--
-- KEYS[1] tokens  asynq:sema:<scope>
-- ARGV[1] end of the token, s, as it was taken
-- ARGV[2] holder, a task's id
--
-- Returns 1 given back, 0 not held, -2 the key has the wrong type.
if not fits(KEYS[1], 'zset') then
  return -2
end
local score = redis.call('ZSCORE', KEYS[1], ARGV[2])
if not score or tonumber(score) ~= tonumber(ARGV[1]) then
  return 0
end
redis.call('ZREM', KEYS[1], ARGV[2])
return 1
