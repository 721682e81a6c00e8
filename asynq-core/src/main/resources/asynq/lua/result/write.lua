-- Replaces a task's result; a task that is gone is not brought back as a stray hash, and one that
-- has passed into other hands is left alone.
--
-- KEYS[1] task hash  asynq:{queue}:t:<id>
-- KEYS[2] lease      asynq:{queue}:lease
-- ARGV[1] task id
-- ARGV[2] fence of the attempt
-- ARGV[3] result
--
-- Returns 1 written, 0 no such task or in other hands, -2 its key is no hash.
local task_kind = kind(KEYS[1])
if task_kind == 'none' then
  return 0
elseif task_kind ~= 'hash' then
  return -2
end
if not holds(KEYS[1], ARGV[2], score_of(KEYS[2], ARGV[1])) then
  return 0
end
redis.call('HSET', KEYS[1], 'result', ARGV[3])
return 1
