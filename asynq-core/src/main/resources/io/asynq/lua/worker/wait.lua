-- Moves active tasks that got no token to retry, where they wait for one, each by itself. Nothing is counted and
-- messages stay unchanged. A task that waited before keeps its place.
-- KEYS active, lease, retry, waiting, see limit/wake
-- ARGV[1] prefix of task hashes; [2] present time; [3…] four for each task: id; fence of the attempt; its needs; after
-- how long it is due at the latest, ms
-- Returns one code per task, see outcomes; -2 also when the task is gone.
local now = present_seconds(ARGV[2])
local waits, last = {}, {}

local function may_wait(task, fence, score, i)
  local held, found, marked = holds_to_wait(task, fence, score)
  return held, ask('ZCARD', KEYS[4] .. ':' .. ARGV[i + 2]) and found or OTHER, marked
end

-- The place of a task that has not waited yet is behind all others, also after Redis's clock was set back.
local function last_place(line)
  local before = last[line] or tonumber(redis.call('ZRANGE', line, '-1', '-1', 'WITHSCORES')[2] or 0)
  last[line] = math.max(math.floor(now * 1000000), before + 1)
  return string.format('%.0f', last[line])
end

local known = ask('ZCARD', KEYS[3]) and ask('ZCARD', KEYS[4])
local codes = end_each(3, 4, known, HASH, function(id, task, i)
  local due, line = string.format('%.0f', math.ceil(now + ARGV[i + 3] / 1000)), KEYS[4] .. ':' .. ARGV[i + 2]
  local place = redis.call('HGET', task, 'x-woken')
  forget_attempt(task, 'x-woken')
  redis.call('HSET', task, 'state', 'retry', 'x-waits', due .. '\n' .. ARGV[i + 2])
  waits[#waits + 1] = due
  waits[#waits + 1] = id
  redis.call('ZADD', line, 'NX', place or last_place(line), id)
  redis.call('ZADD', KEYS[4], 'NX', '0', ARGV[i + 2])
end, may_wait)
if #waits > 0 then
  redis.call('ZADD', KEYS[3], unpack(waits))
end
return codes
