-- Lists active tasks whose lease has ended, oldest first. Ids without a task leave lease and
-- active; a lease of a task that is not active any more is dropped; a task that says it is
-- active but stands nowhere is put back into active, so that recovery can end it.
--
-- KEYS[1] lease   asynq:{queue}:lease
-- KEYS[2] active  asynq:{queue}:active
-- ARGV[1] latest end, s
-- ARGV[2] prefix of task hashes
-- ARGV[3] how many at most
--
-- Returns {code, {id, message, …}, {broken id, kind, …}}; a hash without a message gives
-- "" for it; kinds: missing, wrong_type. The code is 1, or -2 when lease or active has the
-- wrong type; then nothing is written.
local lease_kind, active_kind = kind(KEYS[1]), kind(KEYS[2])
if (lease_kind ~= 'zset' and lease_kind ~= 'none') or (active_kind ~= 'list' and active_kind ~= 'none') then
  return {-2, {}, {}}
end
local found, broken = {}, {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])) do
  local task_kind = kind(ARGV[2] .. id)
  if task_kind ~= 'hash' then
    redis.call('ZREM', KEYS[1], id)
    redis.call('LREM', KEYS[2], 0, id)
    broken[#broken + 1] = id
    broken[#broken + 1] = task_kind == 'none' and 'missing' or 'wrong_type'
  else
    local task = redis.call('HMGET', ARGV[2] .. id, 'msg', 'state')
    local listed = redis.call('LPOS', KEYS[2], id)
    if not listed and task[2] == 'active' then
      redis.call('RPUSH', KEYS[2], id)
      listed = true
    end
    if listed then
      found[#found + 1] = id
      found[#found + 1] = task[1] or ''
    else
      redis.call('ZREM', KEYS[1], id)
    end
  end
end
return {1, found, broken}
