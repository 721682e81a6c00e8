-- Lists active tasks whose lease has ended, oldest first. A task in another state is looked for in the list. Ids
-- without a task leave lease and active; the lease of a task that is no longer active is dropped; an end that is no
-- whole number, which Go cannot read, is rounded. What needs a long look is skipped once the look limit is reached.
-- KEYS lease, active, watched: since when, and the last look, ms
-- ARGV[1] present time; [2] prefix of task hashes; [3] how many to skip; [4] how many at most; [5] how far in the
-- future a lease may end, ms; [6] longest gap between two looks, ms; [7] how long a lease lasts, ms
-- Returns {{id, message, …}, {eight for each: end of the lease, s; fence of the attempt, if the lease is its own; fence
-- of the attempt whose beginning is recorded; its server; fence of the attempt that made it a suspect; crashes; which
-- servers and when; end of the lease that was counted last, …}, {broken id, kind, …}, how many were looked at, number
-- of leases, number of active tasks, how many were skipped, present time, ms, {for how long each was seen unmoved, ms,
-- …}}; what is not there is ""; kinds: missing, wrong_type.

-- For how long leases have not moved is recorded with the task, so that servers share their observations. They are
-- valid only while Redis's clock is not changed, which shows as a gap between looks.
local now, _, exact = present(ARGV[1])
local now_ms = math.floor(exact * 1000)

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

-- For how long a lease has not moved, as far as known since the watch began.
local function standstill(task, ends, noted, since)
  local seen_end, seen = string.match(noted or '', '^(%S+) (%d+)$')
  seen = tonumber(seen)
  if seen_end ~= ends or seen > now_ms then
    redis.pcall('HSET', task, 'x-seen', string.format('%s %.0f', ends, now_ms))
    return 0
  end
  return now_ms - math.max(seen, since)
end

-- Ends leases of ours that end later than they could, because Redis's clock was set back, once they have not moved for
-- their length: a live holder would have extended them. The fence names the length if it is not the default. If many
-- end so late, because Go's clocks are ahead, a different part of them is looked at each time.
local function end_astray(since)
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
      local still = standstill(task, score, fields[3], since)
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

local leases, actives = must('ZCARD', KEYS[1]), must('LLEN', KEYS[2])
if leases == 0 then return {{}, {}, {}, 0, leases, actives, 0, now_ms, {}} end
local since = watched_since()
-- Once, not for each page
if ARGV[3] == '0' then
  end_astray(since)
end
local ended = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', math.floor(exact + ARGV[5] / 1000), 'WITHSCORES', 'LIMIT', ARGV[3], ARGV[4])
local found, more, broken, still, passed_over = {}, {}, {}, {}, 0

local function whole(score)
  return string.format('%.0f', math.max(0, math.floor(tonumber(score) or 0)))
end

local function is_active(id, task, state)
  if state == 'active' then return true end
  local listed = stands_in(KEYS[2], id)
  if listed then
    redis.call('HSET', task, 'state', 'active')
  end
  return listed
end

local function tell(id, hash, task, score)
  local ends = whole(score)
  if ends ~= score then
    redis.call('ZADD', KEYS[1], 'XX', ends, id)
  end
  found[#found + 1] = id
  found[#found + 1] = task[1] or ''
  still[#still + 1] = standstill(hash, ends, task[10], since)
  more[#more + 1] = ends
  task[3] = holder_of(task[3], ends)
  for field = 3, 9 do
    more[#more + 1] = task[field] or ''
  end
end

for i = 1, #ended, 2 do
  local id, hash = ended[i], ARGV[2] .. ended[i]
  local task_kind = kind(hash)
  if task_kind ~= 'hash' and not leave(KEYS[2], id) then
    passed_over = passed_over + 1
  elseif task_kind ~= 'hash' then
    redis.call('ZREM', KEYS[1], id)
    broken[#broken + 1] = id
    broken[#broken + 1] = task_kind == 'none' and 'missing' or 'wrong_type'
  else
    local task = redis.call('HMGET', hash, 'msg', 'state', 'x-attempt', 'x-begun', 'x-server', 'x-suspect',
      'x-crashes', 'x-deaths', 'x-crashed-at', 'x-seen')
    local active = is_active(id, hash, task[2])
    if active then
      tell(id, hash, task, ended[i + 1])
    elseif active == nil then
      passed_over = passed_over + 1
    else
      redis.call('ZREM', KEYS[1], id)
    end
  end
end
return {found, more, broken, #ended / 2, leases, actives, passed_over, now_ms, still}
