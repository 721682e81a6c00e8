-- Moves active tasks that have failed to retry, each by itself.
-- KEYS active, lease, retry, processed, failed
-- ARGV[1] to ARGV[4] see outcomes; [5…] five for each task: id; fence of the attempt; message; in how long, ms; "1" if
-- it counts as a failure
-- Returns one code per task, see outcomes.
local now = present_seconds(ARGV[4])
local retried, failures = {}, 0

local codes = end_each(5, 5, ask('ZCARD', KEYS[3]), NONE, function(id, task, i, marked)
  forget(task, ARGV[i + 1], marked)
  redis.call('HSET', task, 'msg', ARGV[i + 2], 'state', 'retry')
  retried[#retried + 1] = string.format('%.0f', math.floor(now + ARGV[i + 3] / 1000))
  retried[#retried + 1] = id
  failures = failures + (ARGV[i + 4] == '1' and 1 or 0)
end, holds_to_wait)
if #retried > 0 then
  redis.call('ZADD', KEYS[3], unpack(retried))
end
count(failures, now, ARGV[2], ARGV[3], {KEYS[4], KEYS[5]})
return codes
