-- Puts active tasks back to the front of their queue, each by itself; nothing is counted.
--
-- KEYS[1] active   asynq:{queue}:active
-- KEYS[2] lease    asynq:{queue}:lease
-- KEYS[3] pending  asynq:{queue}:pending
-- ARGV[1] prefix of task hashes
-- ARGV[2] present time, ns, "" for that of Redis
-- ARGV[3…] two for each task, the one to be run next first: id; fence of the attempt
--
-- Returns one code per task: 1 pending, 0 not active or in other hands, 2 to be sent again because
-- enough was looked at, -2 a key has the wrong type, or the task is gone.
local usable = fits(KEYS[1], 'list') and fits(KEYS[2], 'zset') and fits(KEYS[3], 'list')
local codes = {}
local _, now_ns = present(ARGV[2])

local function requeue(id, fence)
  local task = ARGV[1] .. id
  if not usable or kind(task) ~= 'hash' then
    return -2
  elseif not holds(task, fence, redis.call('ZSCORE', KEYS[2], id)) then
    return 0
  elseif not leave(KEYS[1], id) then
    return 2
  end
  redis.call('ZREM', KEYS[2], id)
  redis.call('RPUSH', KEYS[3], id)
  redis.call('HSET', task, 'state', 'pending', 'pending_since', now_ns)
  redis.call('HDEL', task, 'x-attempt', 'x-lease', 'x-lasts', 'x-seen', 'x-begun')
  return 1
end

for i = #ARGV - 1, 3, -2 do
  codes[(i - 1) / 2] = requeue(ARGV[i], ARGV[i + 1])
end
return codes
