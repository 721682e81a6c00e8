-- Reads the numbers of queues; what has the wrong type counts as empty. Grouped tasks are counted only while the
-- groups of these queues are few in all.
-- KEYS of each queue: pending, active, scheduled, retry, archived, completed, groups, paused, processed, failed
-- ARGV[1] how many groups are few; [2] present time; [3], … prefix of each queue's keys
-- Returns for each queue {pending, active, scheduled, retry, archived, completed, groups, aggregating or -1 for too
-- many groups, 1 if paused, pending since of the next task or "", processed and failed today and in all as they
-- stand, present time, ns}.
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

local function grouped(key, prefix)
  local groups, tasks = kind(key) == 'set' and redis.call('SCARD', key) or 0, 0
  if groups > few then
    return groups, -1
  elseif groups > 0 then
    few = few - groups
    for _, group in ipairs(redis.call('SMEMBERS', key)) do
      tasks = tasks + size(prefix .. 'g:' .. group, 'zset')
    end
  end
  return groups, tasks
end

local function numbers(k, prefix)
  local groups, aggregating = grouped(KEYS[k + 7], prefix)
  return {
    size(KEYS[k + 1], 'list'), size(KEYS[k + 2], 'list'), size(KEYS[k + 3], 'zset'),
    size(KEYS[k + 4], 'zset'), size(KEYS[k + 5], 'zset'), size(KEYS[k + 6], 'zset'),
    groups, aggregating, redis.call('EXISTS', KEYS[k + 8]), waiting_since(KEYS[k + 1], prefix),
    text(KEYS[k + 9] .. today), text(KEYS[k + 10] .. today), text(KEYS[k + 9]), text(KEYS[k + 10]), now_ns
  }
end

local answer = {}
for i = 3, #ARGV do
  answer[i - 2] = numbers(10 * (i - 3), ARGV[i])
end
return answer
