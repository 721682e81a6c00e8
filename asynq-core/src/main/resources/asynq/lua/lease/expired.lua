-- Lists active tasks whose lease has ended, oldest first. A task that says it is active is; one that
-- does not is looked for in the list. Ids without a task leave lease and active; a lease of a task
-- that is not active any more is dropped; an end that is no whole number, which Go cannot read, is
-- made one. What needs a long look is passed over when enough was looked at.
--
-- A lease that stands still is noted with its task, so that servers go on with what others have
-- begun to watch. That is worth something only as long as Redis's clock was not set meanwhile,
-- which shows where nobody has looked for a while by that clock.
--
-- KEYS[1] lease    asynq:{queue}:lease
-- KEYS[2] active   asynq:{queue}:active
-- KEYS[3] watched  asynqj:{queue}:watched, since when and when last somebody looked, ms
-- ARGV[1] present time, ns, "" for that of Redis
-- ARGV[2] prefix of task hashes
-- ARGV[3] how many to pass over
-- ARGV[4] how many at most
-- ARGV[5] how far ahead of now an end may lie, ms
-- ARGV[6] how long at most nobody may look, ms
-- ARGV[7] how long a lease lasts, ms
--
-- Returns {code, {id, message, …}, {eight for each: end of the lease, s; fence of the attempt, if the
-- lease is its own; fence of the one whose beginning is written down; by which server; fence of whoever
-- has made it a suspect; crashes; which servers and when; end of the lease that was counted last, …}, {broken id,
-- kind, …}, how many were looked at, number of leases, number of active tasks, how many were passed
-- over, present time, ms, {for how long each has been seen to stand still, ms, …}}; what is not there
-- is ""; kinds: missing, wrong_type. The code is 1, or -2 when lease or active has the wrong type;
-- then nothing is written.
local now, _, exact = present(ARGV[1])
local now_ms = math.floor(exact * 1000)
local leases, actives = redis.pcall('ZCARD', KEYS[1]), redis.pcall('LLEN', KEYS[2])
if type(leases) == 'table' or type(actives) == 'table' then
  return {-2, {}, {}, {}, 0, 0, 0, 0, now_ms, {}}
elseif leases == 0 then
  return {1, {}, {}, {}, 0, leases, actives, 0, now_ms, {}}
end

local function watched_since()
  local noted = redis.pcall('GET', KEYS[3])
  local since, last = string.match(type(noted) == 'string' and noted or '', '^(%d+) (%d+)$')
  since, last = tonumber(since), tonumber(last)
  local gapless = last and last <= now_ms and now_ms - last <= tonumber(ARGV[6])
  if not gapless then
    since = now_ms
  end
  if not gapless or now_ms - last >= ARGV[6] / 4 then
    redis.pcall('SET', KEYS[3], string.format('%.0f %.0f', since, now_ms), 'PX', ARGV[6])
  end
  return since
end

local since = watched_since()

-- How long a lease has stood still, as far as the present watch knows.
local function standstill(task, ends, noted)
  local seen_end, seen = string.match(noted or '', '^(%S+) (%d+)$')
  seen = tonumber(seen)
  if seen_end ~= ends or seen > now_ms then
    redis.pcall('HSET', task, 'x-seen', string.format('%s %.0f', ends, now_ms))
    return 0
  end
  return now_ms - math.max(seen, since)
end

-- Of a lease of ours that ends later than it could, because Redis's clock was set back, it does not
-- matter when it ends: whoever has it would move it. How long it lasts the fence says, if that is not
-- usual. Where many end so late, because Go's clocks are ahead, others of them are looked at each time.
local function end_astray()
  local late = '(' .. string.format('%.0f', math.ceil(exact + ARGV[7] / 1000))
  local count = redis.call('ZCOUNT', KEYS[1], late, '+inf')
  local first = count > 100 and now_ms % 9973 * 7919 % (count - 99) or 0
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], late, '+inf', 'LIMIT', string.format('%.0f', first), 100)) do
    local task = ARGV[2] .. id
    local fields = redis.pcall('HMGET', task, 'x-attempt', 'x-crashed-at', 'x-seen')
    local score = redis.call('ZSCORE', KEYS[1], id)
    local fence, ends, mark = parts_of(fields[1])
    local lasts = ends and lasts_of(fence)
    if ends and ends == score and tonumber(score) > math.ceil(exact + lasts / 1000) then
      local still = standstill(task, score, fields[3])
      if still >= math.max(lasts, tonumber(ARGV[7])) then
        redis.call('ZADD', KEYS[1], 'XX', now, id)
        redis.call('HSET', task, 'x-attempt', fence .. '@' .. now .. mark, 'x-seen', string.format('%.0f %.0f', now, now_ms - still))
        if fields[2] == score then
          redis.call('HSET', task, 'x-crashed-at', now)
        end
      end
    end
  end
end

-- Once, not for each page
if ARGV[3] == '0' then
  end_astray()
end
local ended = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', math.floor(exact + ARGV[5] / 1000), 'WITHSCORES', 'LIMIT', ARGV[3], ARGV[4])
local found, more, broken, still, passed_over = {}, {}, {}, {}, 0

local function whole(score)
  return string.format('%.0f', math.max(0, math.floor(tonumber(score) or 0)))
end

for i = 1, #ended, 2 do
  local id = ended[i]
  local task_kind = kind(ARGV[2] .. id)
  if task_kind ~= 'hash' and not leave(KEYS[2], id) then
    passed_over = passed_over + 1
  elseif task_kind ~= 'hash' then
    redis.call('ZREM', KEYS[1], id)
    broken[#broken + 1] = id
    broken[#broken + 1] = task_kind == 'none' and 'missing' or 'wrong_type'
  else
    local task = redis.call('HMGET', ARGV[2] .. id, 'msg', 'state', 'x-attempt', 'x-begun', 'x-server', 'x-suspect',
      'x-crashes', 'x-deaths', 'x-crashed-at', 'x-seen')
    local active = task[2] == 'active'
    if not active then
      active = stands_in(KEYS[2], id)
      if active then
        redis.call('HSET', ARGV[2] .. id, 'state', 'active')
      end
    end
    if active then
      local ends = whole(ended[i + 1])
      if ends ~= ended[i + 1] then
        redis.call('ZADD', KEYS[1], 'XX', ends, id)
      end
      found[#found + 1] = id
      still[#still + 1] = standstill(ARGV[2] .. id, ends, task[10])
      found[#found + 1] = task[1] or ''
      more[#more + 1] = ends
      task[3] = holder_of(task[3], ends)
      for field = 3, 9 do
        more[#more + 1] = task[field] or ''
      end
    elseif active == nil then
      passed_over = passed_over + 1
    else
      redis.call('ZREM', KEYS[1], id)
    end
  end
end
return {1, found, more, broken, #ended / 2, leases, actives, passed_over, now_ms, still}
