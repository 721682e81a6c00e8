-- Replaces a task's result; a task that is gone is not brought back as a stray hash.
--
-- KEYS[1] task hash  asynq:{queue}:t:<id>
-- ARGV[1] result
--
-- Returns 1 written, 0 no such task, -2 its key is no hash.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then
  return 0
elseif kind ~= 'hash' then
  return -2
end
redis.call('HSET', KEYS[1], 'result', ARGV[1])
return 1
