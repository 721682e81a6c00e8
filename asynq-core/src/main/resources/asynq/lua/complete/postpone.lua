-- Moves active tasks that were not worked on to retry, each by itself; nothing is counted and
-- messages stay as they are.
--
-- KEYS[1] active  asynq:{queue}:active
-- KEYS[2] lease   asynq:{queue}:lease
-- KEYS[3] retry   asynq:{queue}:retry
-- ARGV[1] prefix of task hashes
-- ARGV[2…] three for each task: id; fence of the attempt; when, s
--
-- Returns one code per task: 1 to be retried, 0 not active or in other hands, -2 a key has the
-- wrong type, or the task is gone.
local usable = fits(KEYS[1], 'list') and fits(KEYS[2], 'zset') and fits(KEYS[3], 'zset')
local codes = {}

local function postpone(id, fence, at)
  local task = ARGV[1] .. id
  if not usable or kind(task) ~= 'hash' then
    return -2
  elseif not holds(task, fence) or redis.call('LREM', KEYS[1], -1, id) == 0 then
    return 0
  end
  redis.call('ZREM', KEYS[2], id)
  redis.call('ZADD', KEYS[3], at, id)
  redis.call('HSET', task, 'state', 'retry')
  redis.call('HDEL', task, 'x-attempt')
  return 1
end

for i = 2, #ARGV, 3 do
  codes[#codes + 1] = postpone(unpack(ARGV, i, i + 2))
end
return codes
