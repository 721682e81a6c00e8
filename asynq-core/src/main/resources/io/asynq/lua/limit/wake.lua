-- Makes waiting tasks pending, at the front of their queue behind those that were woken before and have waited longer.
-- A task that was run, archived or deleted by hand, or is due by itself, waits no longer: it has not the retry time
-- that the wait has written. None is woken while the queue is paused, or while one that was woken a second ago is at
-- the front, because nobody takes it.
-- KEYS pending, retry, paused, waiting: needs of waiting tasks by when they were looked at; after it and a colon, the
-- tasks with these needs by since when they wait
-- ARGV[1] present time; [2] prefix of task hashes; [3…] two for each class: its needs; how many tasks, 0 only to forget
-- those that wait no longer
-- Returns two for each class: how many were woken, -1 the queue takes none now; how many still wait.
local MOST_IN_FRONT, MOST_LOOKED_AT, UNTAKEN = 64, 2000, 1000000000
local _, now_ns = present(ARGV[1])
local answer, ready, looked, seen = {}, {}, 0, {}

-- A pending task: its id; since when it has waited, nil if it was not woken; since when it is pending, ns.
local function at_rank(rank)
  if not seen[rank] then
    local id = must('LINDEX', KEYS[1], rank)
    local noted = id and redis.pcall('HMGET', ARGV[2] .. id, 'x-woken', 'pending_since') or {}
    seen[rank] = {id = id, since = tonumber(noted[1] or nil), pending = tonumber(noted[2] or nil)}
  end
  return seen[rank]
end

-- Puts tasks, {id, since}, to the front, where those stand that were woken before. Whoever has waited longest goes
-- first: the list is taken from its right end.
local function put_in_front(ready)
  local before = 0
  while before < MOST_IN_FRONT do
    local task = at_rank(-before - 1)
    if not task.since then break end
    before = before + 1
    ready[#ready + 1] = task
  end
  table.sort(ready, function(one, other)
    return one.since > other.since
  end)
  local ids = {}
  for i, task in ipairs(ready) do
    ids[i] = task.id
  end
  if before > 0 then
    redis.call('LTRIM', KEYS[1], '0', string.format('%.0f', -before - 1))
  end
  redis.call('RPUSH', KEYS[1], unpack(ids))
end

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
  if #ids == 0 then return end
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
    if #ids == 0 then break end
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
