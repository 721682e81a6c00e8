-- Moves active tasks that were not worked on to retry, each by itself; nothing is counted and
-- messages stay as they are.
--
-- KEYS[1] active  asynq:{queue}:active
-- KEYS[2] lease   asynq:{queue}:lease
-- KEYS[3] retry   asynq:{queue}:retry
-- ARGV[1] prefix of task hashes
-- ARGV[2] present time, ns, "" for that of Redis
-- ARGV[3…] three for each task: id; fence of the attempt; in how long, ms
--
-- Returns one code per task: 1 to be retried, 0 not active or in other hands, 2 to be sent again
-- because enough was looked at, -2 a key has the wrong type, or the task is gone.
local usable = fits(KEYS[1], 'list') and fits(KEYS[2], 'zset') and fits(KEYS[3], 'zset')
local codes = {}
local _, _, now = present(ARGV[2])

local function postpone(id, fence, delay)
  local task = ARGV[1] .. id
  if not usable or kind(task) ~= 'hash' then
    return -2
  elseif not holds(task, fence, redis.call('ZSCORE', KEYS[2], id)) then
    return 0
  elseif not leave(KEYS[1], id) then
    return 2
  end
  redis.call('ZREM', KEYS[2], id)
  redis.call('ZADD', KEYS[3], math.ceil(now + delay / 1000), id)
  redis.call('HSET', task, 'state', 'retry')
  redis.call('HDEL', task, 'x-attempt', 'x-lease', 'x-lasts', 'x-seen', 'x-begun')
  return 1
end

for i = 3, #ARGV, 3 do
  codes[#codes + 1] = postpone(unpack(ARGV, i, i + 2))
end
return codes
