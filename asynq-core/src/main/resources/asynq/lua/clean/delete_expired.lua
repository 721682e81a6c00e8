-- Deletes completed tasks whose retention is over. A task that says it stands elsewhere
-- keeps its hash: only its id goes.
--
-- KEYS[1] completed  asynq:{queue}:completed
-- KEYS[2] deleted    asynqj:{queue}:deleted, left by a deletion of the queue that was interrupted
-- ARGV[1] present time, ns, "" for that of Redis
-- ARGV[2] prefix of task hashes
-- ARGV[3] how many at most
--
-- Returns {number of ids that left, {broken id, kind, …}, 1 if there is a deletion to finish, else 0};
-- kinds: missing, wrong_type. The number is -2 when completed is no sorted set.
local unfinished = redis.call('EXISTS', KEYS[2])
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'zset' and kind ~= 'none' then
  return {-2, {}, unfinished}
end
local now = present(ARGV[1])
local broken, removed = {}, 0
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[3])) do
  local task_kind = redis.call('TYPE', ARGV[2] .. id).ok
  if task_kind == 'hash' then
    local state = redis.call('HGET', ARGV[2] .. id, 'state')
    if not state or state == 'completed' then
      redis.call('UNLINK', ARGV[2] .. id)
    end
  else
    broken[#broken + 1] = id
    broken[#broken + 1] = task_kind == 'none' and 'missing' or 'wrong_type'
  end
  removed = removed + redis.call('ZREM', KEYS[1], id)
end
return {removed, broken, unfinished}
