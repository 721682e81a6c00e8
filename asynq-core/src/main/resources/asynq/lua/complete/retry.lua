-- Moves active tasks that have failed to retry, each by itself.
--
-- KEYS[1] active     asynq:{queue}:active
-- KEYS[2] lease      asynq:{queue}:lease
-- KEYS[3] retry      asynq:{queue}:retry
-- KEYS[4] processed  asynq:{queue}:processed, and with ":" and the day that of the day
-- KEYS[5] failed     asynq:{queue}:failed, likewise
-- ARGV[1] prefix of task hashes
-- ARGV[2] life of the day counters, s
-- ARGV[3] limit of the totals
-- ARGV[4] present time, ns, "" for that of Redis
-- ARGV[5…] five for each task: id; fence of the attempt; message; in how long, ms; "1" if it counts as
--   a failure
--
-- Returns one code per task: 1 to be retried, 0 not active or in other hands, 2 to be sent again
-- because enough was looked at, -2 a key has the wrong type.
local now = present_seconds(ARGV[4])
local retried, failures = {}, 0

local codes = end_each(5, 5, ask('ZCARD', KEYS[3]), NONE, function(id, task, i, marked)
  forget(task, ARGV[i + 1], marked)
  redis.call('HSET', task, 'msg', ARGV[i + 2], 'state', 'retry')
  retried[#retried + 1] = string.format('%.0f', math.floor(now + ARGV[i + 3] / 1000))
  retried[#retried + 1] = id
  failures = failures + (ARGV[i + 4] == '1' and 1 or 0)
end)
if #retried > 0 then
  redis.call('ZADD', KEYS[3], unpack(retried))
end
count(failures, now, ARGV[2], ARGV[3], {KEYS[4], KEYS[5]})
return codes
