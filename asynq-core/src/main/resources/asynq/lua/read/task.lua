-- Reads a task. A hash without a state that exists gets the state of the container that its
-- id is in.
--
-- KEYS[1] task hash  asynq:{queue}:t:<id>
-- ARGV[1] task id
-- ARGV[2] prefix of the queue's keys
--
-- Returns {} no such task, {-2} its key is no hash, else {message or "", state or "", score
-- in scheduled or retry or "", result or ""}.
local function score(container)
  local key = ARGV[2] .. container
  return kind(key) == 'zset' and redis.call('ZSCORE', key, ARGV[1]) or nil
end

local function container(group)
  for _, name in ipairs({'scheduled', 'retry', 'archived', 'completed'}) do
    if score(name) then
      return name
    end
  end
  for _, name in ipairs({'pending', 'active'}) do
    local key = ARGV[2] .. name
    if kind(key) == 'list' and redis.call('LPOS', key, ARGV[1]) then
      return name
    end
  end
  if group and score('g:' .. group) then
    return 'aggregating'
  end
  return ''
end

local task_kind = kind(KEYS[1])
if task_kind == 'none' then
  return {}
elseif task_kind ~= 'hash' then
  return {-2}
end
local states = {pending = 1, active = 1, scheduled = 1, retry = 1, archived = 1, completed = 1, aggregating = 1}
local task = redis.call('HMGET', KEYS[1], 'msg', 'state', 'result', 'group')
local state = task[2]
if not state or not states[state] then
  state = container(task[4])
end
local due = (state == 'scheduled' or state == 'retry') and score(state) or ''
return {task[1] or '', state, due, task[3] or ''}
