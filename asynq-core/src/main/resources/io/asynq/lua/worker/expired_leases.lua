-- Lists active tasks whose lease has ended, oldest first. A task in another state is looked for in the list. Ids
-- without a task leave lease and active; the lease of a task that is no longer active is dropped; an end that is no
-- whole number, which Go cannot read, is rounded. What needs a long look is skipped once the look limit is reached.
-- KEYS lease, active, watched
-- ARGV[1] present time
-- ARGV[2] prefix of task hashes
-- ARGV[3] how many to skip
-- ARGV[4] how many at most
-- ARGV[5] how far in the future a lease may end, ms
-- ARGV[6] longest gap between two looks, ms
-- ARGV[7] how long a lease lasts, ms
-- Returns {{id, message, …}, {eight for each: end of the lease, s; fence of the attempt, if the lease is its own;
-- fence of the attempt whose beginning is recorded; its server; fence of the attempt that made it a suspect;
-- crashes; which servers and when; end of the lease that was counted last, …}, {broken id, kind, …}, how many were
-- looked at, number of leases, number of active tasks, how many were skipped, present time, ms, {for how long each
-- was seen unmoved, ms, …}}; what is not there is ""; kinds: missing, wrong_type.
local leases, actives = must('ZCARD', KEYS[1]), must('LLEN', KEYS[2])
if leases == 0 then
  return {{}, {}, {}, 0, leases, actives, 0, now_ms, {}}
end
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
  if state == 'active' then
    return true
  end
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
