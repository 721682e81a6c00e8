-- Cancels a task: one that waits is archived or deleted at once. If a Java server has an active one, the wish is
-- recorded, to be kept when the attempt ends in waiting, and the servers are told, by the task's own master.
-- KEYS cancelled, archived, lease
-- ARGV[1] to ARGV[4] see wishes; [5] task id; [6] "archive", "delete" or "retry"; [7] the channel on which servers are
-- told, or "" to record the wish whoever has the task and tell nobody
-- Returns two: 2 recorded, 1 done or, if the state is active, not recorded, and told for "retry" only, 0 no such task,
-- -1 it has ended or, for "retry", is not active, -2 its key is no hash, -3 it is not in the container of its state;
-- the state it had or "".
local id, wish = ARGV[5], ARGV[6]
local task = HASHES .. id
local task_kind = kind(task)
if task_kind ~= 'hash' then return {task_kind == 'none' and 0 or -2, ''} end
local fields = redis.call('HMGET', task, 'state', 'group', 'x-attempt')
local state = fields[1] or ''

-- Whether an attempt of ours has it: Go keeps x-attempt but writes another end of the lease.
local function is_ours()
  local ends = string.match(fields[3] or '', '@([^!]*)!?$')
  local score = must('ZSCORE', KEYS[3], id)
  return ends and (not score or tonumber(ends) == tonumber(score))
end

-- Returns whether it is recorded; to be retried is what becomes of it anyway.
local function record()
  if wish == 'retry' then
    redis.call('HDEL', task, 'x-cancel')
    return false
  end
  if ARGV[7] ~= '' and not is_ours() then return false end
  redis.call('SADD', KEYS[1], id)
  redis.call('HSET', task, 'x-cancel', wish)
  if fields[3] then
    tell_marks(task)
  end
  return true
end

if state == 'active' then
  local recorded = record()
  if ARGV[7] ~= '' and (recorded or wish == 'retry') then
    redis.call('PUBLISH', ARGV[7], id)
  end
  return {recorded and 2 or 1, state}
elseif wish == 'retry' or state == 'archived' or state == 'completed' then
  return {-1, state}
elseif not grant(id, wish, state, fields[2]) then
  return {-3, state}
end
archive_granted()
return {1, state}
