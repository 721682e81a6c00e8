-- Deletes completed tasks whose retention is over. If the task's state names another container, only the id is removed.
-- KEYS completed; deleted, left by an interrupted deletion of the queue
-- ARGV present time; prefix of task hashes; how many at most
-- Returns {ids removed, {broken id, kind, …}, 1 if there is a deletion to finish, else 0}; kinds: missing, wrong_type.
local broken, removed = {}, 0
for _, id in ipairs(must('ZRANGEBYSCORE', KEYS[1], '-inf', (present(ARGV[1])), 'LIMIT', 0, ARGV[3])) do
  local task_kind = kind(ARGV[2] .. id)
  if task_kind == 'hash' then
    local state = redis.call('HGET', ARGV[2] .. id, 'state')
    if not state or state == 'completed' then
      redis.call('UNLINK', ARGV[2] .. id)
    end
  else
    broken[#broken + 1], broken[#broken + 2] = id, task_kind == 'none' and 'missing' or 'wrong_type'
  end
  removed = removed + redis.call('ZREM', KEYS[1], id)
end
return {removed, broken, redis.call('EXISTS', KEYS[2])}
