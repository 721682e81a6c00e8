-- Reads a queue's numbers; what has the wrong type counts as empty. Grouped tasks are counted only while the groups
-- are few.
-- KEYS pending, active, scheduled, retry, archived, completed, groups, paused, processed, failed
-- ARGV[1] prefix of the queue's keys; [2] how many groups are few; [3] present time
-- Returns {pending, active, scheduled, retry, archived, completed, groups, aggregating or -1 for too many groups, 1
-- if paused, pending since of the next task or "", processed and failed today and in all as they stand, present
-- time, ns}.
local function text(key)
  return kind(key) == 'string' and redis.call('GET', key) or ''
end

local function waiting_since()
  local id = kind(KEYS[1]) == 'list' and redis.call('LINDEX', KEYS[1], -1)
  if id and kind(ARGV[1] .. 't:' .. id) == 'hash' then
    return redis.call('HGET', ARGV[1] .. 't:' .. id, 'pending_since') or ''
  end
  return ''
end

local now, now_ns = present(ARGV[3])
local today = ':' .. day_of(now)
local groups, aggregating = kind(KEYS[7]) == 'set' and redis.call('SCARD', KEYS[7]) or 0, 0
if groups > tonumber(ARGV[2]) then
  aggregating = -1
elseif groups > 0 then
  for _, group in ipairs(redis.call('SMEMBERS', KEYS[7])) do
    aggregating = aggregating + size(ARGV[1] .. 'g:' .. group, 'zset')
  end
end

return {
  size(KEYS[1], 'list'), size(KEYS[2], 'list'), size(KEYS[3], 'zset'),
  size(KEYS[4], 'zset'), size(KEYS[5], 'zset'), size(KEYS[6], 'zset'),
  groups, aggregating, redis.call('EXISTS', KEYS[8]), waiting_since(),
  text(KEYS[9] .. today), text(KEYS[10] .. today), text(KEYS[9]), text(KEYS[10]), now_ns
}
