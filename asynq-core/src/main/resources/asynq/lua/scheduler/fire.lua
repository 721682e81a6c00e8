-- Stores the task of one fire of a periodic task, unless another scheduler has. The first that
-- asks decides for all: what it was told is kept for as long as others may ask, and told again
-- when it asks again, because its answer may have been lost.
--
-- KEYS[1] task hash      asynq:{queue}:t:<id>
-- KEYS[2] pending        asynq:{queue}:pending
-- KEYS[3] scheduled      asynq:{queue}:scheduled
-- KEYS[4] groups         asynq:{queue}:groups
-- KEYS[5] group          asynq:{queue}:g:<group>, any without a group
-- KEYS[6] lock           asynq:{queue}:unique:<type>:<digest>, any without a lock
-- KEYS[7] fire           asynqj:{queue}:fire:<entry>:<second>
-- KEYS[8] last fire      asynqj:{queue}:fired:<entry>
-- ARGV[1] "pending", "scheduled" or "grouped"
-- ARGV[2] task id
-- ARGV[3] message
-- ARGV[4] when, s, of a task for later, else ""
-- ARGV[5] group, "" for none
-- ARGV[6] life of the lock, s, 0 for none
-- ARGV[7] present time, ns, "" for that of Redis
-- ARGV[8] who asks
-- ARGV[9] life of the fire, s
-- ARGV[10] the fire's second
-- ARGV[11] life of the last fire, s, 0 not to keep it
-- ARGV[12] "1" if the fire was missed and counts only if no later one is known
--
-- Returns 1 stored, 0 the id is taken, -1 the lock is held, -2 a key has the wrong type, 2 the
-- fire is another's or not the last one; no task is written but for 1.
local now, now_ns = present(ARGV[7])
local place, id, group, second = ARGV[1], ARGV[2], ARGV[5], tonumber(ARGV[10])
if not fits(KEYS[2], 'list') or not fits(KEYS[3], 'zset') or not fits(KEYS[4], 'set')
    or group ~= '' and not fits(KEYS[5], 'zset') or not fits(KEYS[7], 'string') or not fits(KEYS[8], 'string') then
  return -2
end
local told = redis.call('GET', KEYS[7])
if told then
  local code, owner = string.match(told, '^(%S+) (.*)$')
  return owner == ARGV[8] and tonumber(code) or 2
end
local last = tonumber(redis.call('GET', KEYS[8]) or '') or -math.huge
if ARGV[12] == '1' and last >= second then
  return 2
end
local code = 1
if ARGV[6] ~= '0' and redis.call('EXISTS', KEYS[6]) == 1 then
  code = -1
elseif redis.call('EXISTS', KEYS[1]) == 1 then
  code = 0
end
-- First, because Redis may refuse the life of a lock, and then nothing must be written
if code == 1 and ARGV[6] ~= '0' then
  redis.call('SET', KEYS[6], id, 'EX', ARGV[6])
end
redis.call('SET', KEYS[7], code .. ' ' .. ARGV[8], 'EX', ARGV[9], 'NX')
if ARGV[11] ~= '0' and last < second then
  redis.call('SET', KEYS[8], ARGV[10], 'EX', ARGV[11])
end
if code ~= 1 then
  return code
end
redis.call('HSET', KEYS[1], 'msg', ARGV[3], 'state', place == 'grouped' and 'aggregating' or place)
if ARGV[6] ~= '0' then
  redis.call('HSET', KEYS[1], 'unique_key', KEYS[6])
end
if group ~= '' then
  redis.call('HSET', KEYS[1], place == 'scheduled' and 'x-group' or 'group', group)
end
if place == 'pending' then
  redis.call('HSET', KEYS[1], 'pending_since', now_ns)
  redis.call('LPUSH', KEYS[2], id)
elseif place == 'scheduled' then
  redis.call('ZADD', KEYS[3], ARGV[4], id)
else
  redis.call('ZADD', KEYS[5], now, id)
  redis.call('SADD', KEYS[4], group)
end
return 1
