-- Puts active tasks back to the front of their queue, each by itself; nothing is counted.
-- KEYS active, lease, pending
-- ARGV[1] prefix of task hashes; [2] present time; [3…] two for each task, the next to run last: id; fence of the
-- attempt
-- Returns one code per task, see outcomes; -2 also when the task is gone.
local _, now_ns = present(ARGV[2])

local codes, pending = end_each(3, 2, ask('LLEN', KEYS[3]), HASH, function(_, task)
  forget_attempt(task)
  redis.call('HSET', task, 'state', 'pending', 'pending_since', now_ns)
end, holds_to_wait)
if #pending > 0 then
  redis.call('RPUSH', KEYS[3], unpack(pending))
end
return codes
