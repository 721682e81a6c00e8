-- Part of other scripts: takes an id of a queue out of a container, or puts it into one. prefix is
-- that of all keys of the queue. Needs kinds, places and mirrors.
local function take_out(prefix, id, container)
  if container == 'pending' or container == 'active' then
    redis.call('LREM', prefix .. container, 0, id)
  else
    redis.call('ZREM', prefix .. container, id)
  end
  if container == 'active' then
    redis.pcall('ZREM', prefix .. 'lease', id)
  end
end

local function put_into_list(prefix, id, container, now_s, now_ns)
  if not fits(prefix .. container, 'list') or not fits(prefix .. 'lease', 'zset') then
    return -2
  end
  redis.call('LPUSH', prefix .. container, id)
  if container == 'active' then
    redis.call('ZADD', prefix .. 'lease', now_s, id)
    note_lease(prefix .. 't:' .. id, now_s)
  else
    redis.call('HSET', prefix .. 't:' .. id, 'pending_since', now_ns)
  end
  return 1
end

-- Scheduled and retry tasks are due now, completed ones expired: their own time is not known.
local function put_into_set(prefix, id, container, now_s)
  local grouped = state_in(container) == 'aggregating'
  if not fits(prefix .. container, 'zset') or grouped and not fits(prefix .. 'groups', 'set') then
    return -2
  end
  redis.call('ZADD', prefix .. container, now_s, id)
  if grouped then
    redis.call('SADD', prefix .. 'groups', string.sub(container, 3))
  end
  return 1
end

local function put_into(prefix, id, container, now_s, now_ns)
  local put = (container == 'pending' or container == 'active') and put_into_list or put_into_set
  local code = put(prefix, id, container, now_s, now_ns)
  if code == 1 then
    redis.call('HSET', prefix .. 't:' .. id, 'state', state_in(container))
  end
  return code
end
