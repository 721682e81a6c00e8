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
local now = present_seconds(ARGV[2])
local postponed = {}

local codes = end_each(3, 3, ask('ZCARD', KEYS[3]), HASH, function(id, task, i)
  forget_attempt(task)
  redis.call('HSET', task, 'state', 'retry')
  postponed[#postponed + 1] = math.ceil(now + ARGV[i + 2] / 1000)
  postponed[#postponed + 1] = id
end)
if #postponed > 0 then
  redis.call('ZADD', KEYS[3], unpack(postponed))
end
return codes
