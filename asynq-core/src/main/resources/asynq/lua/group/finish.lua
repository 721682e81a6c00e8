-- Stores the task that a staged set was turned into and deletes the set's tasks: all of them, or
-- as many as one call may; then the set is noted as ours, so that nobody gives it back. Does
-- nothing when the set went back to its group meanwhile.
--
-- KEYS[1] task hash         asynq:{queue}:t:<id> of the new task
-- KEYS[2] container         asynq:{queue}:pending or asynq:{queue}:scheduled
-- KEYS[3] aggregation sets  asynq:{queue}:aggregation_sets
-- KEYS[4] staged set        asynq:{queue}:g:<group>:<set>
-- KEYS[5] aggregated        asynqj:{queue}:aggregated
-- KEYS[6] lock              asynq:{queue}:unique:<type>:<digest>, absent for none
-- ARGV[1] task id
-- ARGV[2] message
-- ARGV[3] present time, ns, "" for that of Redis
-- ARGV[4] when, s, "" for at once
-- ARGV[5] life of the lock, s, 0 for none: on a cluster KEYS has one more than a script names
-- ARGV[6] prefix of task hashes
-- ARGV[7…] two for each of the set's first tasks, at most 500: id; lock or ""
--
-- Returns 1 stored and all are deleted, 2 stored and some are left, 0 the id is taken, -1 the lock
-- is held, -2 a key has the wrong type, -3 the set went back; nothing is written but for 1 and 2.
local now, now_ns = present(ARGV[3])
local later, unique = ARGV[4] ~= '', ARGV[5] ~= '0'
local members = from_argv(7)

-- What it is made of may hold its lock: that passes to it
local function is_held(lock)
  local holder = redis.pcall('GET', lock)
  return holder and (type(holder) ~= 'string' or not redis.call('ZSCORE', KEYS[4], holder))
end

if not fits(KEYS[2], later and 'zset' or 'list') or not fits(KEYS[3], 'zset') or not fits(KEYS[4], 'zset')
  or not fits(KEYS[5], 'zset') then
  return -2
elseif not redis.call('ZSCORE', KEYS[3], KEYS[4]) then
  return -3
elseif unique and is_held(KEYS[6]) then
  return -1
elseif redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
if unique then
  redis.call('SET', KEYS[6], ARGV[1], 'EX', ARGV[5])
end
redis.call('HSET', KEYS[1], 'msg', ARGV[2], 'state', later and 'scheduled' or 'pending')
drop_members(KEYS[4], ARGV[6], members)
if unique then
  redis.call('HSET', KEYS[1], 'unique_key', KEYS[6])
end
if later then
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
else
  redis.call('HSET', KEYS[1], 'pending_since', now_ns)
  redis.call('LPUSH', KEYS[2], ARGV[1])
end
redis.call('ZREM', KEYS[3], KEYS[4])
if redis.call('EXISTS', KEYS[4]) == 0 then
  return 1
end
redis.call('ZADD', KEYS[5], now, KEYS[4])
return 2
