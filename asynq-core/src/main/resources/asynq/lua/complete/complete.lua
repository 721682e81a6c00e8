-- Keeps active tasks that have succeeded for their retention, each by itself.
--
-- KEYS[1] active     asynq:{queue}:active
-- KEYS[2] lease      asynq:{queue}:lease
-- KEYS[3] completed  asynq:{queue}:completed
-- KEYS[4] processed  asynq:{queue}:processed, and with ":" and the day that of the day
-- ARGV[1] prefix of task hashes
-- ARGV[2] life of the day counter, s
-- ARGV[3] limit of the totals
-- ARGV[4] present time, ns, "" for that of Redis
-- ARGV[5…] seven for each task: id; fence of the attempt; message; its retention, s;
--   lock or ""; "1" if a result follows; result
--
-- Returns one code per task: 1 completed, 0 not active or in other hands, 2 to be sent again
-- because enough was looked at, -2 a key has the wrong type.
local now = math.floor(present_seconds(ARGV[4]))
local kept = {}

local codes = end_each(5, 7, ask('ZCARD', KEYS[3]), NONE, function(id, task, i, marked)
  local fence, message, retention, lock, has_result, result = unpack(ARGV, i + 1, i + 6)
  forget(task, fence, marked)
  redis.call('HSET', task, 'msg', message, 'state', 'completed')
  if has_result == '1' then
    redis.call('HSET', task, 'result', result)
  end
  release(lock, id)
  -- The years 1 to 9999: a message may say anything
  kept[#kept + 1] = string.format('%.0f', math.max(-62135596800, math.min(now + retention, 253402300799)))
  kept[#kept + 1] = id
end)
if #kept > 0 then
  redis.call('ZADD', KEYS[3], unpack(kept))
end
count(#kept / 2, now, ARGV[2], ARGV[3], {KEYS[4]})
return codes
