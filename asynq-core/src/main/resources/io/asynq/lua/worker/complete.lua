-- Keeps active tasks that have succeeded for their retention, each by itself.
-- KEYS active, lease, completed, processed
-- ARGV[1] to ARGV[4] see outcomes; [5…] seven for each task: id; fence of the attempt; message; its retention, s; lock
-- or ""; "1" if a result follows; result
-- Returns one code per task, see outcomes.
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
