-- Moves active tasks that got no token to retry, where they wait until one is free, each by itself. Nothing is counted
-- and messages stay unchanged. A task that waited before keeps its place.
-- KEYS active, lease, retry, waiting, see limit/promote
-- ARGV[1] prefix of task hashes
-- ARGV[2] present time
-- ARGV[3…] four for each task: id; fence of the attempt; its needs; after how long it is due at the latest, s
-- Returns one code per task, see outcomes; -2 also when the task is gone.
local now = present_seconds(ARGV[2])
local waits = {}

local function may_wait(task, fence, score, i)
  local held, found, marked = holds_to_wait(task, fence, score)
  return held, ask('ZCARD', KEYS[4] .. ':' .. ARGV[i + 2]) and found or OTHER, marked
end

local codes = end_each(3, 4, ask('ZCARD', KEYS[3]) and ask('ZCARD', KEYS[4]), HASH, function(id, task, i)
  local due = string.format('%.0f', math.ceil(now + ARGV[i + 3]))
  forget_attempt(task)
  redis.call('HSET', task, 'state', 'retry', 'x-waits', due .. '\n' .. ARGV[i + 2])
  redis.call('ZADD', KEYS[4] .. ':' .. ARGV[i + 2], 'NX', string.format('%.0f', now * 1000000 + i), id)
  redis.call('ZADD', KEYS[4], 'NX', '0', ARGV[i + 2])
  waits[#waits + 1] = due
  waits[#waits + 1] = id
end, may_wait)
if #waits > 0 then
  redis.call('ZADD', KEYS[3], unpack(waits))
end
return codes
