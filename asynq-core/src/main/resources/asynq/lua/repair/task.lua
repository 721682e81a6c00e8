-- Mends where one id stands, if that is still wrong. Nothing is counted.
--
-- KEYS[1] active  asynq:{queue}:active
-- ARGV[1] prefix of the queue's keys
-- ARGV[2] task id
-- ARGV[3] what is wrong: a kind of inconsistency
-- ARGV[4] present time, ns, "" for that of Redis
-- ARGV[5] container, where the kind needs one
--
-- Returns 1 mended, 0 nothing to mend, -2 a key that must be written has the wrong type.
local prefix, id = ARGV[1], ARGV[2]
local now, now_ns = present(ARGV[4])
local task = prefix .. 't:' .. id
local task_kind = kind(task)
local fields = task_kind == 'hash' and redis.call('HMGET', task, 'state', 'group') or {}
local state, group = fields[1] or '', fields[2] or ''
local containers = containers_of(prefix, id, group, ARGV[5])

local function put(container)
  return put_into(prefix, id, container, now, now_ns)
end

-- What is left when a result was written to a task that was gone.
local function is_empty()
  return #containers == 0 and not fields[1] and redis.call('HSTRLEN', task, 'msg') == 0
end

local repairs = {}

function repairs.id_without_task()
  if task_kind == 'hash' or #containers == 0 and not scored(prefix .. 'lease', id) then
    return 0
  end
  for _, container in ipairs(containers) do
    take_out(prefix, id, container)
  end
  redis.pcall('ZREM', prefix .. 'lease', id)
  return 1
end

-- A deletion of the queue, also one that was interrupted, still has to come to its tasks.
local function is_being_deleted()
  return #containers == 0 and kind('asynqj:' .. string.sub(prefix, #'asynq:' + 1) .. 'deleted') == 'set'
end

function repairs.task_without_container()
  if task_kind ~= 'hash' or #containers > 0 or is_being_deleted() then
    return 0
  elseif is_empty() then
    return redis.call('DEL', task)
  elseif state == 'aggregating' then
    return put(group ~= '' and 'g:' .. group or 'pending')
  end
  return put(STATES[state] and state or 'archived')
end

function repairs.wrong_state()
  if task_kind ~= 'hash' or #containers ~= 1 or state == state_in(containers[1]) then
    return 0
  end
  redis.call('HSET', task, 'state', state_in(containers[1]))
  return 1
end

function repairs.in_two_containers()
  if task_kind ~= 'hash' or #containers < 2 then
    return 0
  end
  local keep = containers[1]
  for _, container in ipairs(containers) do
    if state_in(container) == state then
      keep = container
    end
  end
  for _, container in ipairs(containers) do
    if container ~= keep then
      take_out(prefix, id, container)
    end
  end
  redis.call('HSET', task, 'state', state_in(keep))
  return 1
end

function repairs.undecodable()
  if task_kind ~= 'hash' or state == 'archived' and #containers == 1 and containers[1] == 'archived' then
    return 0
  elseif is_being_deleted() then
    return 0
  elseif is_empty() then
    return redis.call('DEL', task)
  elseif not fits(prefix .. 'archived', 'zset') then
    return -2
  end
  for _, container in ipairs(containers) do
    take_out(prefix, id, container)
  end
  return put('archived')
end

return repairs[ARGV[3]]()
