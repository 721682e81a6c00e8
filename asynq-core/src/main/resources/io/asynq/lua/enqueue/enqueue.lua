-- Stores one pending task: a cheaper lib/store.
-- KEYS task hash, pending
-- ARGV task id; message; present time, ns; only with a unique lock: the lock; its life, s
-- Returns 1 stored, 0 the id is taken, -1 the lock is held, -2 pending is no list; nothing is written but for 1.
local call, lock = redis.call, ARGV[4]
local taken = lock and call('EXISTS', lock) == 1 and -1 or call('EXISTS', KEYS[1]) == 1 and 0
if taken then
  -- Neither lock nor id is the reason where nothing could be stored anyway
  local found = call('TYPE', KEYS[2]).ok
  return (found == 'list' or found == 'none') and taken or -2
elseif lock then
  -- First, because Redis may refuse its life
  call('SET', lock, ARGV[1], 'EX', ARGV[5])
  call('HSET', KEYS[1], 'msg', ARGV[2], 'state', 'pending', 'pending_since', ARGV[3], 'unique_key', lock)
else
  call('HSET', KEYS[1], 'msg', ARGV[2], 'state', 'pending', 'pending_since', ARGV[3])
end
local pushed = redis.pcall('LPUSH', KEYS[2], ARGV[1])
if type(pushed) == 'table' then
  -- Asking for the type first would cost every task a command
  call('DEL', KEYS[1], lock or KEYS[1])
  return string.find(pushed.err, 'WRONGTYPE ', 1, true) and -2 or pushed
end
return 1
