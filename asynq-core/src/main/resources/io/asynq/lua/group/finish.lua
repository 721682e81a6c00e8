-- Stores the task that a staged set was turned into and deletes the set's tasks, as many as one call may. If some are
-- left, the set is listed as aggregated, so that no server gives it back. Does nothing when the set went back to its
-- group meanwhile.
-- KEYS aggregation sets, staged set, aggregated, the new task's container
-- ARGV[1] prefix of the queue's keys; [2] present time; [3] to ARGV[10] the new task: state; id; message; when, s, or
-- ""; group or ""; lock or ""; its life, s, or ""; "1" if it may take the place of an archived task with its id, or "";
-- [11…] two for each of the set's first tasks, at most 500: id; lock or ""
-- Returns 1 stored and all are deleted, 2 stored and some are left, 0 the id is taken, -1 the lock is held, -3 Redis
-- refuses the life of the lock, -4 the set went back; nothing is written but for 1 and 2.
local now, now_ns = present(ARGV[2])
local state, id, message, at, group, lock, ttl, replaces = unpack(ARGV, 3, 10)
for i = 1, 3 do
  must('ZCARD', KEYS[i])
end
must(state == 'pending' and 'LLEN' or 'ZCARD', KEYS[4])
if not redis.call('ZSCORE', KEYS[1], KEYS[2]) then return -4 end
-- One of its members may hold its lock, which then passes to it
local function passes(held)
  local holder = redis.pcall('GET', held)
  return type(holder) == 'string' and redis.call('ZSCORE', KEYS[2], holder)
end
local code = store_or_replace(state, id, message, at, group, lock, ttl, now, now_ns, replaces, passes)
if code ~= 1 then return code end
drop_members(KEYS[2], ARGV[1] .. 't:', {unpack(ARGV, 11)})
redis.call('ZREM', KEYS[1], KEYS[2])
if redis.call('EXISTS', KEYS[2]) == 0 then return 1 end
redis.call('ZADD', KEYS[3], now, KEYS[2])
return 2
