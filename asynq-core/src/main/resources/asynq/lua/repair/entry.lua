-- Mends one entry of an id in a container, or its lease, if that is still wrong. Nothing is
-- counted.
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
local repairs = {}

function repairs.double_entry()
  local key = prefix .. ARGV[5]
  local found = kind(key) == 'list' and #redis.call('LPOS', key, id, 'COUNT', 0) or 0
  return found > 1 and redis.call('LREM', key, found - 1, id) and 1 or 0
end

function repairs.active_without_lease()
  if not listed(prefix .. 'active', id) or scored(prefix .. 'lease', id) then
    return 0
  elseif not fits(prefix .. 'lease', 'zset') then
    return -2
  end
  local now = present(ARGV[4])
  redis.call('ZADD', prefix .. 'lease', now, id)
  note_lease(prefix .. 't:' .. id, now)
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
  local score = scored(prefix .. ARGV[5], id)
  if not score or string.match(score, '^%-?%d+$') then
    return 0
  end
  local number = math.max(0, math.min(math.floor(tonumber(score) or 0), 253402300799))
  redis.call('ZADD', prefix .. ARGV[5], 'XX', string.format('%.0f', number), id)
  return 1
end

return repairs[ARGV[3]]()
