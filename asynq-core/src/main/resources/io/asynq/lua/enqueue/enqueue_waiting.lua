-- Stores one scheduled or grouped task: a cheaper lib/store.
-- KEYS task hash, container, groups
-- ARGV[1] task id; [2] message; [3] when it is due, s, "" for a grouped one; [4] group or ""; [5] present time: groups
-- are due by it; [6] lock; [7] its life, s; both only with a unique lock
-- Returns 1 stored, 0 the id is taken, -1 the lock is held, -2 a key has the wrong type; nothing is written but for 1.
local call, pcall = redis.call, redis.pcall
local id, message, score, group, given, lock, ttl = unpack(ARGV)
local grouped = score == ''
local state = grouped and 'aggregating' or 'scheduled'

local taken = lock and call('EXISTS', lock) == 1 and -1 or call('EXISTS', KEYS[1]) == 1 and 0
if taken then
  -- Neither lock nor id is the reason where nothing could be stored anyway
  return fits(KEYS[2], 'zset') and (not grouped or fits(KEYS[3], 'set')) and taken or -2
elseif lock then
  -- First, because Redis may refuse its life
  call('SET', lock, id, 'EX', ttl)
  call('HSET', KEYS[1], 'msg', message, 'state', state, 'unique_key', lock)
else
  call('HSET', KEYS[1], 'msg', message, 'state', state)
end
local listed = 0
if grouped then
  local now, now_ns = present(given)
  call('HSET', KEYS[1], 'group', group, 'x-arrived', arrival(now_ns))
  listed, score = pcall('SADD', KEYS[3], group), now
elseif group ~= '' then
  call('HSET', KEYS[1], 'x-group', group)
end
local added = type(listed) == 'table' and listed or pcall('ZADD', KEYS[2], score, id)
if type(added) == 'number' then return 1 end
-- Asking for the types first would cost every task a command or two
call('DEL', KEYS[1], lock or KEYS[1])
if listed == 1 then
  call('SREM', KEYS[3], group)
end
return string.find(added.err, 'WRONGTYPE ', 1, true) and -2 or added
