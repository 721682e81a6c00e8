-- Part of other scripts: puts a task into its right container. Needs where and mirrors.
local function take_out(id, container)
  if type_of(container) == 'list' then
    redis.call('LREM', PREFIX .. container, 0, id)
  else
    redis.call('ZREM', PREFIX .. container, id)
  end
  if container == 'active' then
    redis.pcall('ZREM', PREFIX .. 'lease', id)
  end
end

local function may_hold(container)
  return fits(PREFIX .. container, type_of(container))
    and (type_of(container) ~= 'list' or fits(PREFIX .. 'lease', 'zset'))
    and (state_in(container) ~= 'aggregating' or fits(PREFIX .. 'groups', 'set'))
end

local function give_lease(id, task, now)
  redis.call('ZADD', PREFIX .. 'lease', now, id)
  note_lease(task, now)
end

-- Scheduled and retry tasks are due now, completed ones expired: their own times are unknown.
local function put_into(id, task, container, now, now_ns)
  if type_of(container) == 'list' then
    redis.call('LPUSH', PREFIX .. container, id)
  else
    redis.call('ZADD', PREFIX .. container, now, id)
  end
  if container == 'active' then
    give_lease(id, task, now)
  elseif container == 'pending' then
    redis.call('HSET', task, 'pending_since', now_ns)
  elseif state_in(container) == 'aggregating' then
    redis.call('SADD', PREFIX .. 'groups', string.sub(container, 3))
  end
end

-- Puts an id into its right container and removes it from all others; from all, if it has none. Returns 1, 0 when a
-- key that must be written has the wrong type.
local function settle(id, at, now, now_ns)
  local stands = false
  for _, container in ipairs(at.containers) do
    stands = stands or container == at.right
  end
  if at.right and not stands and not may_hold(at.right) then
    return 0
  end
  for _, container in ipairs(at.containers) do
    if container ~= at.right then
      take_out(id, container)
    end
  end
  if not at.right then
    redis.pcall('ZREM', PREFIX .. 'lease', id)
    return 1
  elseif not stands then
    put_into(id, at.task, at.right, now, now_ns)
  end
  redis.call('HSET', at.task, 'state', state_in(at.right))
  return 1
end
