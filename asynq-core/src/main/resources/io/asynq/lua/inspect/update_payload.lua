-- Replaces the message of a scheduled task if it has not changed since it was read.
-- KEYS task hash
-- ARGV message as it was read; new message
-- Returns {code, state or ""}: 1 replaced, 0 no such task, -1 it is not scheduled, -2 its key is no hash, -4 its
-- message has changed.
local task_kind = kind(KEYS[1])
if task_kind ~= 'hash' then return {task_kind == 'none' and 0 or -2, ''} end
local task = redis.call('HMGET', KEYS[1], 'state', 'msg')
local state = task[1] or ''
if state ~= 'scheduled' then
  return {-1, state}
elseif task[2] ~= ARGV[1] then
  return {-4, state}
end
redis.call('HSET', KEYS[1], 'msg', ARGV[2])
return {1, state}
