-- Puts active tasks back to the front of their queue, each by itself; nothing is counted.
--
-- KEYS[1] active   asynq:{queue}:active
-- KEYS[2] lease    asynq:{queue}:lease
-- KEYS[3] pending  asynq:{queue}:pending
-- ARGV[1] prefix of task hashes
-- ARGV[2] present time, ns, "" for that of Redis
-- ARGV[3…] two for each task, the one to be run next last: id; fence of the attempt
--
-- Returns one code per task: 1 pending, 0 not active or in other hands, 2 to be sent again because
-- enough was looked at, -2 a key has the wrong type, or the task is gone.
local _, now_ns = present(ARGV[2])

local codes, pending = end_each(3, 2, ask('LLEN', KEYS[3]), HASH, function(_, task)
  forget_attempt(task)
  redis.call('HSET', task, 'state', 'pending', 'pending_since', now_ns)
end)
if #pending > 0 then
  redis.call('RPUSH', KEYS[3], unpack(pending))
end
return codes
