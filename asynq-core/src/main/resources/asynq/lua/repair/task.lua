-- Mends what is wrong with one id, if it is still wrong. Nothing is counted.
--
-- KEYS[1] active  asynq:{queue}:active
-- ARGV[1] prefix of the queue's keys
-- ARGV[2] task id
-- ARGV[3] what is wrong: a kind of inconsistency
-- ARGV[4] present time, s
-- ARGV[5] present time, ns
-- ARGV[6] container, where the kind needs one
--
-- Returns 1 mended, 0 nothing to mend, -2 a key that must be written has the wrong type.
local prefix, id = ARGV[1], ARGV[2]
local task = prefix .. 't:' .. id
local task_kind = kind(task)
local fields = task_kind == 'hash' and redis.call('HMGET', task, 'state', 'group') or {}
local state, group = fields[1] or '', fields[2] or ''
local containers = containers_of(prefix, id, group, ARGV[6])

local function take_out(container)
  if container == 'pending' or container == 'active' then
    redis.call('LREM', prefix .. container, 0, id)
  else
    redis.call('ZREM', prefix .. container, id)
  end
  if container == 'active' then
    redis.pcall('ZREM', prefix .. 'lease', id)
  end
end

-- Scheduled and retry tasks are due now, completed ones expired: their own time is not known.
local function put_into(container)
  local key = prefix .. container
  if container == 'pending' or container == 'active' then
    if not fits(key, 'list') or not fits(prefix .. 'lease', 'zset') then
      return -2
    end
    redis.call('LPUSH', key, id)
    if container == 'active' then
      redis.call('ZADD', prefix .. 'lease', ARGV[4], id)
    else
      redis.call('HSET', task, 'pending_since', ARGV[5])
    end
  else
    local grouped = state_in(container) == 'aggregating'
    if not fits(key, 'zset') or grouped and not fits(prefix .. 'groups', 'set') then
      return -2
    end
    redis.call('ZADD', key, ARGV[4], id)
    if grouped then
      redis.call('SADD', prefix .. 'groups', string.sub(container, 3))
    end
  end
  redis.call('HSET', task, 'state', state_in(container))
  return 1
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
    take_out(container)
  end
  redis.pcall('ZREM', prefix .. 'lease', id)
  return 1
end

function repairs.task_without_container()
  if task_kind ~= 'hash' or #containers > 0 then
    return 0
  elseif is_empty() then
    return redis.call('DEL', task)
  elseif state == 'aggregating' then
    return put_into(group ~= '' and 'g:' .. group or 'pending')
  end
  return put_into(STATES[state] and state or 'archived')
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
      take_out(container)
    end
  end
  redis.call('HSET', task, 'state', state_in(keep))
  return 1
end

function repairs.double_entry()
  local key = prefix .. ARGV[6]
  local found = kind(key) == 'list' and #redis.call('LPOS', key, id, 'COUNT', 0) or 0
  return found > 1 and redis.call('LREM', key, found - 1, id) and 1 or 0
end

function repairs.active_without_lease()
  if not listed(prefix .. 'active', id) or scored(prefix .. 'lease', id) then
    return 0
  elseif not fits(prefix .. 'lease', 'zset') then
    return -2
  end
  redis.call('ZADD', prefix .. 'lease', ARGV[4], id)
  return 1
end

function repairs.lease_without_active()
  if listed(prefix .. 'active', id) or not scored(prefix .. 'lease', id) then
    return 0
  end
  redis.call('ZREM', prefix .. 'lease', id)
  return 1
end

function repairs.fractional_score()
  local score = scored(prefix .. ARGV[6], id)
  if not score or string.match(score, '^%-?%d+$') then
    return 0
  end
  local number = math.max(0, math.min(math.floor(tonumber(score) or 0), 253402300799))
  redis.call('ZADD', prefix .. ARGV[6], 'XX', string.format('%.0f', number), id)
  return 1
end

function repairs.undecodable()
  if task_kind ~= 'hash' or state == 'archived' and #containers == 1 and containers[1] == 'archived' then
    return 0
  elseif is_empty() then
    return redis.call('DEL', task)
  elseif not fits(prefix .. 'archived', 'zset') then
    return -2
  end
  for _, container in ipairs(containers) do
    take_out(container)
  end
  return put_into('archived')
end

return repairs[ARGV[3]]()
