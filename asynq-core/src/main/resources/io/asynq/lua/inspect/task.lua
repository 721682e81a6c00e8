-- Reads a task. A hash without a valid state gets the state of the container in which a repair would keep it, if any.
-- KEYS task hash
-- ARGV[1] prefix of the queue's keys; [2] prefix of our own keys of the queue; [3] task id
-- Returns {} no such task, else {message or "", state or "", score in scheduled or retry or "", result or "", what it
-- waits for or "", see complete/wait, since when it is pending, ns, or ""}.
local task = must('HMGET', KEYS[1], 'msg', 'state', 'result', 'group', 'x-waits', 'pending_since')
if not task[1] and not task[2] and redis.call('EXISTS', KEYS[1]) == 0 then return {} end
local state, group = task[2], task[4] or nil
if not container_of(state, group) then
  local containers = containers_of(ARGV[3], group)
  state = containers[1] and state_in(containers[1]) or ''
end
local due = (state == 'scheduled' or state == 'retry') and scored(PREFIX .. state, ARGV[3]) or ''
return {task[1] or '', state, due, task[3] or '', task[5] or '', task[6] or ''}
