-- Part of other scripts: the only way to store a task. Needs place and arrivals.
local PREFIX, known_kinds = ARGV[1], {}

local function may_hold(key, expected)
  local actual = known_kinds[key]
  if not actual then
    actual = redis.call('TYPE', key).ok
    known_kinds[key] = actual
  end
  return actual == expected or actual == 'none'
end

-- Stores a new task: its state ("pending", "scheduled" or "aggregating"), id, message, at (when, s), group, lock, ttl
-- (life of the lock, s); "" for what it has not. now is what groups are due by, s; since is the present time, ns: when
-- it is pending, or when it joins its group; passes tells whether a lock that is held may pass to the task.
-- ARGV[1] is the prefix of the queue's keys. The group of a scheduled task goes into a field of ours: a task that Go
-- forwards then runs by itself; Go would fill its group without listing it.
-- Returns 1 stored, 0 the id is taken, -1 the lock is held, -2 a key has the wrong type, -3 Redis refuses the life of
-- the lock; nothing is written but for 1.
local function store(state, id, message, at, group, lock, ttl, now, since, passes)
  local call, task, container = redis.call, PREFIX .. 't:' .. id, container_of(state, group)
  local key = PREFIX .. container
  if not may_hold(key, type_of(container)) or state == 'aggregating' and not may_hold(PREFIX .. 'groups', 'set') then
    return -2
  elseif lock ~= '' and call('EXISTS', lock) == 1 and not (passes and passes(lock)) then
    return -1
  elseif call('EXISTS', task) == 1 then
    return 0
  end
  local refused = lock ~= '' and redis.pcall('SET', lock, id, 'EX', ttl).err
  if refused then return string.find(refused, 'invalid expire', 1, true) and -3 or error(refused, 0) end
  local name, value = 'pending_since', since
  if state ~= 'pending' then
    name, value = state == 'scheduled' and 'x-group' or 'group', group
  end
  local fields, last = {'msg', message, 'state', state, 'unique_key', lock, name, value}, 8
  if lock == '' then
    fields[5], fields[6], last = name, value, 6
  end
  if state == 'aggregating' then
    fields[last + 1], fields[last + 2], last = 'x-arrived', arrival(since), last + 2
  end
  call('HSET', task, unpack(fields, 1, value == '' and last - 2 or last))
  if state == 'pending' then
    call('LPUSH', key, id)
  else
    call('ZADD', key, state == 'scheduled' and at or now, id)
  end
  if state == 'aggregating' then
    call('SADD', PREFIX .. 'groups', group)
  end
  return 1
end
