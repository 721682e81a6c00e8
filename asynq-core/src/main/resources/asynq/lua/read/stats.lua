-- Reads a queue's numbers; what has the wrong type counts as empty. The aggregating tasks
-- are summed only while the groups are few.
--
-- KEYS[1] pending    KEYS[2] active    KEYS[3] scheduled  KEYS[4] retry
-- KEYS[5] archived   KEYS[6] completed KEYS[7] groups     KEYS[8] paused
-- KEYS[9] processed  KEYS[10] failed: in all, and with ":" and the day those of the day
-- ARGV[1] prefix of task hashes
-- ARGV[2] prefix of groups
-- ARGV[3] how many groups are few
-- ARGV[4] present time, ns, "" for that of Redis
--
-- Returns {pending, active, scheduled, retry, archived, completed, groups, aggregating or -1
-- for too many groups, 1 if paused, pending since of the next task or "", processed and failed
-- today and in all as they stand, present time, ns}.
local function size(key, expected, command)
  return kind(key) == expected and redis.call(command, key) or 0
end

local function text(key)
  return kind(key) == 'string' and redis.call('GET', key) or ''
end

local function waiting_since()
  local id = kind(KEYS[1]) == 'list' and redis.call('LINDEX', KEYS[1], -1)
  if id and kind(ARGV[1] .. id) == 'hash' then
    return redis.call('HGET', ARGV[1] .. id, 'pending_since') or ''
  end
  return ''
end

local now, now_ns = present(ARGV[4])
local today = ':' .. day_of(now)
local groups = size(KEYS[7], 'set', 'SCARD')
local aggregating = 0
if groups > tonumber(ARGV[3]) then
  aggregating = -1
elseif groups > 0 then
  for _, group in ipairs(redis.call('SMEMBERS', KEYS[7])) do
    aggregating = aggregating + size(ARGV[2] .. group, 'zset', 'ZCARD')
  end
end

return {
  size(KEYS[1], 'list', 'LLEN'), size(KEYS[2], 'list', 'LLEN'), size(KEYS[3], 'zset', 'ZCARD'),
  size(KEYS[4], 'zset', 'ZCARD'), size(KEYS[5], 'zset', 'ZCARD'), size(KEYS[6], 'zset', 'ZCARD'),
  groups, aggregating, redis.call('EXISTS', KEYS[8]), waiting_since(),
  text(KEYS[9] .. today), text(KEYS[10] .. today), text(KEYS[9]), text(KEYS[10]), now_ns
}
