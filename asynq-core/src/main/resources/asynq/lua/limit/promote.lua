-- Makes waiting tasks pending, at the front of their queue, those first that have waited longest. A task that was run,
-- archived or deleted by hand, or is due by itself, waits no longer: it has not the retry time that the wait has written.
-- KEYS pending, retry, paused, waiting: needs of waiting tasks by when they were looked at; after it and a colon, the
--   tasks with these needs by since when they wait
-- ARGV[1] present time
-- ARGV[2] prefix of task hashes
-- ARGV[3…] two for each class: its needs; how many tasks
-- Returns two for each class: how many are pending now, -1 the queue is paused; how many still wait.
local _, now_ns = present(ARGV[1])
local paused, answer, ready, stale = redis.call('EXISTS', KEYS[3]) == 1, {}, {}, 0
must('LLEN', KEYS[1])
must('ZCARD', KEYS[2])

local function waits(id, needs)
  local task, due = ARGV[2] .. id, redis.call('ZSCORE', KEYS[2], id)
  local noted = due and redis.pcall('HGET', task, 'x-waits')
  return due and noted == due .. '\n' .. needs
end

local function promote(needs, line, most)
  local promoted = 0
  while promoted < most and stale < 100 do
    local ids = must('ZRANGE', line, '0', string.format('%.0f', math.min(most - promoted, 100) - 1))
    if #ids == 0 then
      break
    end
    redis.call('ZREM', line, unpack(ids))
    for _, id in ipairs(ids) do
      if waits(id, needs) then
        redis.call('ZREM', KEYS[2], id)
        redis.call('HDEL', ARGV[2] .. id, 'x-waits')
        redis.call('HSET', ARGV[2] .. id, 'state', 'pending', 'pending_since', now_ns)
        promoted = promoted + 1
        table.insert(ready, 1, id)
      else
        stale = stale + 1
      end
    end
  end
  return promoted
end

for i = 3, #ARGV, 2 do
  local line = KEYS[4] .. ':' .. ARGV[i]
  answer[#answer + 1] = paused and -1 or promote(ARGV[i], line, tonumber(ARGV[i + 1]))
  answer[#answer + 1] = must('ZCARD', line)
  if answer[#answer] == 0 then
    redis.call('ZREM', KEYS[4], ARGV[i])
  end
end
if #ready > 0 then
  redis.call('RPUSH', KEYS[1], unpack(ready))
end
return answer
