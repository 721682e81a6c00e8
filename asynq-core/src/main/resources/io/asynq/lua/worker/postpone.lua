-- Moves active tasks that were not run to retry, each by itself. Nothing is counted and messages stay unchanged.
-- KEYS active, lease, retry
-- ARGV[1] prefix of task hashes; [2] present time; [3…] three for each task: id; fence of the attempt; in how long, ms
-- Returns one code per task, see outcomes; -2 also when the task is gone.
local now = present_seconds(ARGV[2])
local postponed = {}

local codes = end_each(3, 3, ask('ZCARD', KEYS[3]), HASH, function(id, task, i)
  forget_attempt(task, 'x-woken')
  redis.call('HSET', task, 'state', 'retry')
  postponed[#postponed + 1] = math.ceil(now + ARGV[i + 2] / 1000)
  postponed[#postponed + 1] = id
end, holds_to_wait)
if #postponed > 0 then
  redis.call('ZADD', KEYS[3], unpack(postponed))
end
return codes
