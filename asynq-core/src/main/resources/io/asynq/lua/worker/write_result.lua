-- Replaces a task's result. A task that is gone does not become a stray hash, and one that another attempt holds is
-- left alone.
-- KEYS task hash, lease
-- ARGV task id; fence of the attempt; result
-- Returns 1 written, 0 no such task or not held, -2 its key is no hash.
local task_kind = kind(KEYS[1])
if task_kind == 'none' then
  return 0
elseif task_kind ~= 'hash' then
  return -2
end
if not holds(KEYS[1], ARGV[2], score_of(KEYS[2], ARGV[1])) then return 0 end
redis.call('HSET', KEYS[1], 'result', ARGV[3])
return 1
