-- Moves active tasks that got no token to retry, where they wait, each by itself: until somebody gives them one, or until
-- the moment that their rate has promised. Nothing is counted and messages stay unchanged. A task that waited before keeps
-- its place.
-- KEYS active, lease, retry, waiting, see limit/promote; promised, ids of tasks by the time that they are promised
-- ARGV[1] prefix of task hashes
-- ARGV[2] present time
-- ARGV[3…] five for each task: id; fence of the attempt; its needs; after how long it is due at the latest, ms; 1 if it is
--   promised that moment
-- Returns one code per task, see outcomes; -2 also when the task is gone.
local now = present_seconds(ARGV[2])
local waits, moments = {}, {}

local function may_wait(task, fence, score, i)
  local held, found, marked = holds_to_wait(task, fence, score)
  return held, ask('ZCARD', KEYS[4] .. ':' .. ARGV[i + 2]) and found or OTHER, marked
end

-- Redis forgets the last ones when they are over.
local function promise()
  local over = redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', now, 'LIMIT', '0', '100')
  if #over > 0 then
    redis.call('ZREM', KEYS[5], unpack(over))
  end
  redis.call('ZADD', KEYS[5], unpack(moments))
  local last = redis.call('ZRANGE', KEYS[5], '-1', '-1', 'WITHSCORES')
  redis.call('EXPIREAT', KEYS[5], string.format('%.0f', last[2] + 60))
end

local known = ask('ZCARD', KEYS[3]) and ask('ZCARD', KEYS[4]) and ask('ZCARD', KEYS[5])
local codes = end_each(3, 5, known, HASH, function(id, task, i)
  local due = string.format('%.0f', math.ceil(now + ARGV[i + 3] / 1000))
  forget_attempt(task)
  redis.call('HSET', task, 'state', 'retry', 'x-waits', due .. '\n' .. ARGV[i + 2])
  waits[#waits + 1] = due
  waits[#waits + 1] = id
  if ARGV[i + 4] == '1' then
    moments[#moments + 1] = due
    moments[#moments + 1] = id
  else
    redis.call('ZADD', KEYS[4] .. ':' .. ARGV[i + 2], 'NX', string.format('%.0f', now * 1000000 + i), id)
    redis.call('ZADD', KEYS[4], 'NX', '0', ARGV[i + 2])
  end
end, may_wait)
if #waits > 0 then
  redis.call('ZADD', KEYS[3], unpack(waits))
end
if #moments > 0 then
  promise()
end
return codes
