-- Gives a token of a semaphore back, unless another attempt at the task holds it by now.
-- KEYS tokens; holder, see acquire
-- ARGV holder, a task's id; fence of the attempt
-- Returns 1 given back, 0 not held.
local score = must('ZSCORE', KEYS[1], ARGV[1])
if not score then return 0 end
if KEYS[2] ~= KEYS[1] then
  if redis.pcall('GET', KEYS[2]) ~= ARGV[2] .. ' ' .. score then return 0 end
  redis.call('DEL', KEYS[2])
end
redis.call('ZREM', KEYS[1], ARGV[1])
return 1
