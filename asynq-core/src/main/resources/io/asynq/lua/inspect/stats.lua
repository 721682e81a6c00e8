-- Reads the numbers of queues; what has the wrong type counts as empty. Grouped tasks, and those that wait for limits,
-- are counted only while their groups and needs are few in all of these queues.
-- KEYS of each queue: pending, active, scheduled, retry, archived, completed, groups, paused, processed, failed,
-- waiting, see limit/wake
-- ARGV[1] how many are few; [2] present time; [3], … prefix of each queue's keys
-- Returns for each queue {pending, active, scheduled, retry, archived, completed, groups, aggregating or -1 for too
-- many groups, 1 if paused, pending since of the next task or "", processed and failed today and in all as they stand,
-- present time, ns, in retry for a limit or -1 for too many needs, leases that have been over for more than 30 s}.
local now, now_ns = present(ARGV[2])
local today = ':' .. day_of(now)
local few = tonumber(ARGV[1])

local function text(key)
  return kind(key) == 'string' and redis.call('GET', key) or ''
end

local function waiting_since(pending, prefix)
  local id = kind(pending) == 'list' and redis.call('LINDEX', pending, -1)
  if id and kind(prefix .. 't:' .. id) == 'hash' then
    return redis.call('HGET', prefix .. 't:' .. id, 'pending_since') or ''
  end
  return ''
end

-- Returns how many parts a key names, and how many tasks are in them, -1 if these are too many to look at.
local function tasks_of(parts, prefix, command, ...)
  local tasks = 0
  if parts > few then
    return parts, -1
  elseif parts > 0 then
    few = few - parts
    for _, part in ipairs(redis.call(command, ...)) do
      tasks = tasks + size(prefix .. part, 'zset')
    end
  end
  return parts, tasks
end

-- A task in another state may have a lease for a while, until a recoverer finds it.
local function orphaned(leases)
  return kind(leases) == 'zset' and redis.call('ZCOUNT', leases, '-inf', '(' .. now - 30) or 0
end

local function numbers(k, prefix)
  local all, needs = KEYS[k + 7], KEYS[k + 11]
  local groups, aggregating = tasks_of(kind(all) == 'set' and redis.call('SCARD', all) or 0, prefix .. 'g:', 'SMEMBERS', all)
  local _, waiting = tasks_of(size(needs, 'zset'), needs .. ':', 'ZRANGE', needs, 0, -1)
  return {
    size(KEYS[k + 1], 'list'), size(KEYS[k + 2], 'list'), size(KEYS[k + 3], 'zset'),
    size(KEYS[k + 4], 'zset'), size(KEYS[k + 5], 'zset'), size(KEYS[k + 6], 'zset'),
    groups, aggregating, redis.call('EXISTS', KEYS[k + 8]), waiting_since(KEYS[k + 1], prefix),
    text(KEYS[k + 9] .. today), text(KEYS[k + 10] .. today), text(KEYS[k + 9]), text(KEYS[k + 10]), now_ns,
    waiting, orphaned(prefix .. 'lease')
  }
end

local answer = {}
for i = 3, #ARGV do
  answer[i - 2] = numbers(11 * (i - 3), ARGV[i])
end
return answer
