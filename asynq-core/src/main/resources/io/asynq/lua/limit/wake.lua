-- Makes waiting tasks pending, at the front of their queue behind those that were woken before and have waited longer.
-- A task that was run, archived or deleted by hand, or is due by itself, waits no longer: it has not the retry time that
-- the wait has written. None is woken while the queue is paused, or while one that was woken a second ago is at the
-- front, because nobody takes it.
-- KEYS pending, retry, paused, waiting: needs of waiting tasks by when they were looked at; after it and a colon, the
--   tasks with these needs by since when they wait
-- ARGV[1] present time
-- ARGV[2] prefix of task hashes
-- ARGV[3…] two for each class: its needs; how many tasks, 0 only to forget those that wait no longer
-- Returns two for each class: how many were woken, -1 the queue takes none now; how many still wait.
local MOST_LOOKED_AT, UNTAKEN = 2000, 1000000000
local _, now_ns = present(ARGV[1])
local answer, ready, looked = {}, {}, 0

local function takes_tasks()
  local front = at_rank(-1)
  local age = tonumber(now_ns) - (front.pending or now_ns)
  return redis.call('EXISTS', KEYS[3]) == 0 and not (front.since and (age >= UNTAKEN or age < 0))
end

local function waits(id, needs)
  local due = must('ZSCORE', KEYS[2], id)
  local noted = due and redis.pcall('HGET', ARGV[2] .. id, 'x-waits')
  return due and noted == due .. '\n' .. needs
end

-- Forgets those in front that wait no longer, and of the next thousand those that are not even in retry.
local function tidy(needs, line)
  local ids = must('ZRANGE', line, '0', '999')
  if #ids == 0 then
    return
  end
  looked = looked + #ids
  local gone, scores = {}, must('ZMSCORE', KEYS[2], unpack(ids))
  local first = true
  for i, id in ipairs(ids) do
    first = first and not waits(id, needs)
    if first or not scores[i] then
      gone[#gone + 1] = id
    end
  end
  if #gone > 0 then
    redis.call('ZREM', line, unpack(gone))
  end
end

local function wake(needs, line, most)
  local woken = 0
  while woken < most and looked < MOST_LOOKED_AT do
    local ids = must('ZRANGE', line, '0', string.format('%.0f', math.min(most - woken, 100) - 1), 'WITHSCORES')
    if #ids == 0 then
      break
    end
    for i = 1, #ids, 2 do
      local id, since = ids[i], ids[i + 1]
      local is_waiting = waits(id, needs)
      -- A command that Redis executes even when it is out of memory; then it executes the rest too
      redis.call('ZREM', line, id)
      looked = looked + 1
      if is_waiting then
        redis.call('ZREM', KEYS[2], id)
        redis.call('HDEL', ARGV[2] .. id, 'x-waits')
        redis.call('HSET', ARGV[2] .. id, 'state', 'pending', 'pending_since', now_ns, 'x-woken', since)
        woken = woken + 1
        ready[#ready + 1] = {id = id, since = tonumber(since)}
      end
    end
  end
  return woken
end

local takes = takes_tasks()
for i = 3, #ARGV, 2 do
  local line, most = KEYS[4] .. ':' .. ARGV[i], tonumber(ARGV[i + 1])
  if most == 0 and looked < MOST_LOOKED_AT then
    tidy(ARGV[i], line)
  end
  answer[#answer + 1] = takes and wake(ARGV[i], line, most) or -1
  answer[#answer + 1] = must('ZCARD', line)
  if answer[#answer] == 0 then
    redis.pcall('ZREM', KEYS[4], ARGV[i])
  end
end
if #ready > 0 then
  put_in_front(ready)
end
return answer
