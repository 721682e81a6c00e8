-- Cancels a task: one that waits is archived or deleted at once. For an active one the wish is recorded, and kept
-- when its attempt ends in waiting.
-- KEYS cancelled, archived
-- ARGV[1] to ARGV[4] see wishes; [5] task id; [6] "archive", "delete" or "retry"; [7] "1" to record the wish for an
--   active task, and to forget an earlier one for "retry"
-- Returns two: 1 done or, if the state is active, recorded, 0 no such task, -1 it has ended or, for "retry", is not
-- active, -2 its key is no hash, -3 it is not in the container of its state; the state it had or "".
local id, wish = ARGV[5], ARGV[6]
local task = HASHES .. id
local task_kind = kind(task)
if task_kind ~= 'hash' then
  return {task_kind == 'none' and 0 or -2, ''}
end
local fields = redis.call('HMGET', task, 'state', 'group', 'x-attempt')
local state = fields[1] or ''

local function record()
  if wish == 'retry' then
    redis.call('HDEL', task, 'x-cancel')
    return
  end
  redis.call('SADD', KEYS[1], id)
  redis.call('HSET', task, 'x-cancel', wish)
  if fields[3] then
    tell_marks(task)
  end
end

if state == 'active' then
  if ARGV[7] == '1' then
    record()
  end
  return {1, state}
elseif wish == 'retry' or state == 'archived' or state == 'completed' then
  return {-1, state}
elseif not grant(id, wish, state, fields[2]) then
  return {-3, state}
end
archive_granted()
return {1, state}
