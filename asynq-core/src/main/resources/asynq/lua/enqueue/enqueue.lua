-- Stores one pending task.
--
-- KEYS[1] task hash  asynq:{queue}:t:<id>
-- KEYS[2] pending    asynq:{queue}:pending
-- ARGV[1] task id
-- ARGV[2] message
-- ARGV[3] present time, ns
--
-- Returns 1 stored, 0 the id is taken, -2 pending is no list; nothing is written but for 1.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'msg', ARGV[2], 'state', 'pending', 'pending_since', ARGV[3])
local pushed = redis.pcall('LPUSH', KEYS[2], ARGV[1])
if type(pushed) == 'table' then
  -- Asking for the type first would cost every task a command
  redis.call('DEL', KEYS[1])
  return string.find(pushed.err, 'WRONGTYPE', 1, true) and -2 or pushed
end
return 1
