-- Lists active tasks whose lease has ended, oldest first. Ids without a task leave lease and
-- active; a lease of a task that is not active any more is dropped; a task that says it is
-- active but stands nowhere is put back into active, so that recovery can end it; an end that
-- is no whole number, which Go cannot read, is made one.
--
-- KEYS[1] lease   asynq:{queue}:lease
-- KEYS[2] active  asynq:{queue}:active
-- ARGV[1] latest end, s
-- ARGV[2] prefix of task hashes
-- ARGV[3] how many to pass over
-- ARGV[4] how many at most
--
-- Returns {code, {id, message, …}, {end of the lease, s, crashes or "", 1 if they include this
-- one, …}, {broken id, kind, …}, how many were looked at, number of leases, number of active
-- tasks}; a hash without a message gives "" for it; kinds: missing, wrong_type. The code is 1,
-- or -2 when lease or active has the wrong type; then nothing is written.
local leases, actives = redis.pcall('ZCARD', KEYS[1]), redis.pcall('LLEN', KEYS[2])
if type(leases) == 'table' or type(actives) == 'table' then
  return {-2, {}, {}, {}, 0, 0, 0}
elseif leases == 0 then
  return {1, {}, {}, {}, 0, leases, actives}
end
local ended = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', ARGV[3], ARGV[4])
local found, more, broken = {}, {}, {}

local function whole(score)
  return string.format('%.0f', math.max(0, math.floor(tonumber(score) or 0)))
end

for i = 1, #ended, 2 do
  local id = ended[i]
  local task_kind = kind(ARGV[2] .. id)
  if task_kind ~= 'hash' then
    redis.call('ZREM', KEYS[1], id)
    redis.call('LREM', KEYS[2], 0, id)
    broken[#broken + 1] = id
    broken[#broken + 1] = task_kind == 'none' and 'missing' or 'wrong_type'
  else
    local task = redis.call('HMGET', ARGV[2] .. id, 'msg', 'state', 'x-crashes', 'x-crashed-at')
    local listed = redis.call('LPOS', KEYS[2], id)
    if not listed and task[2] == 'active' then
      redis.call('RPUSH', KEYS[2], id)
      listed = true
    end
    if listed then
      local ends = whole(ended[i + 1])
      if ends ~= ended[i + 1] then
        redis.call('ZADD', KEYS[1], 'XX', ends, id)
      end
      found[#found + 1] = id
      found[#found + 1] = task[1] or ''
      more[#more + 1] = ends
      more[#more + 1] = task[3] or ''
      more[#more + 1] = task[4] == ends and 1 or 0
    else
      redis.call('ZREM', KEYS[1], id)
    end
  end
end
return {1, found, more, broken, #ended / 2, leases, actives}
