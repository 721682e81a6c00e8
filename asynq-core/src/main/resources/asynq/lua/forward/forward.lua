-- Moves due tasks of scheduled and retry to pending, or to their group. The group of a task that
-- was enqueued with a delay counts once: if it went to pending before, as Go does it, it runs by
-- itself. A task whose group cannot take it (a key of the wrong type) goes to pending, so that it
-- blocks no other. An id whose task stands elsewhere, as its state says, only leaves: it must not
-- run twice. In a long list it is not looked for: what is pending says since when.
--
-- KEYS[1] scheduled    asynq:{queue}:scheduled
-- KEYS[2] retry        asynq:{queue}:retry
-- KEYS[3] pending      asynq:{queue}:pending
-- KEYS[4] groups       asynq:{queue}:groups
-- ARGV[1] present time, ns, "" for that of Redis
-- ARGV[2] prefix of task hashes
-- ARGV[3] prefix of groups
-- ARGV[4] how many of each of scheduled and retry at most
-- ARGV[5] prefix of the queue's keys
--
-- Returns {moved, 1 if more are due, lowest score left or "", {broken id, kind, …}, present time, ns};
-- kinds: missing, wrong_type, unusable_key (scheduled or retry: then id is the key). moved is
-- -2, and nothing is written, when something is due and pending is no list. Most calls find
-- nothing due: every server looks when anything is scheduled, so that has to be cheap.
local now, now_ns = present(ARGV[1])

-- nil if there is none, false if the key has another type
local function lowest_score(source)
  local lowest = ask('ZRANGE', source, 0, 0, 'WITHSCORES')
  return lowest ~= nil and lowest[2]
end

local function is_due(score)
  return score and tonumber(score) <= now
end

local scores = {lowest_score(KEYS[1]), lowest_score(KEYS[2])}
local groups_usable = false
if is_due(scores[1]) or is_due(scores[2]) then
  if not fits(KEYS[3], 'list') then
    return {-2, 0, '', {}, now_ns}
  end
  groups_usable = fits(KEYS[4], 'set')
end

local broken, moved, more, lowest = {}, 0, 0, nil
local places = {
  pending = 'list', active = 'list', scheduled = 'zset', retry = 'zset', archived = 'zset',
  completed = 'zset', aggregating = 'zset'
}

local function stands_elsewhere(id, state, group, source, since)
  local place = ARGV[5] .. (state or '')
  if state == 'aggregating' then
    place = ARGV[3] .. (group or '')
  end
  if place == source or not places[state] or kind(place) ~= places[state] then
    return false
  elseif state == 'active' then
    return type(redis.pcall('ZSCORE', ARGV[5] .. 'lease', id)) == 'string'
  elseif state == 'pending' then
    local found = stands_in(place, id)
    return found == nil and since or found
  end
  return redis.call('ZSCORE', place, id)
end

local function into_group(id, group)
  local target = ARGV[3] .. group
  local target_kind = kind(target)
  if not groups_usable or (target_kind ~= 'zset' and target_kind ~= 'none') then
    return false
  end
  redis.call('ZADD', target, now, id)
  redis.call('SADD', KEYS[4], group)
  redis.call('HSET', ARGV[2] .. id, 'state', 'aggregating', 'group', group)
  redis.call('HDEL', ARGV[2] .. id, 'x-group')
  return true
end

local function forward(source)
  local due = redis.call('ZRANGEBYSCORE', source, '-inf', now, 'LIMIT', 0, ARGV[4])
  redis.call('ZREM', source, unpack(due))
  local ready = {}
  for _, id in ipairs(due) do
    local task_kind = kind(ARGV[2] .. id)
    if task_kind ~= 'hash' then
      broken[#broken + 1] = id
      broken[#broken + 1] = task_kind == 'none' and 'missing' or 'wrong_type'
    else
      local task = redis.call('HMGET', ARGV[2] .. id, 'group', 'state', 'x-group', 'pending_since')
      local group = task[1]
      if not stands_elsewhere(id, task[2], group, source, task[4]) then
        moved = moved + 1
        group = group or source == KEYS[1] and task[3]
        if not group or group == '' or not into_group(id, group) then
          redis.call('HSET', ARGV[2] .. id, 'state', 'pending', 'pending_since', now_ns)
          ready[#ready + 1] = id
        end
      end
    end
  end
  if #ready > 0 then
    redis.call('LPUSH', KEYS[3], unpack(ready))
  end
end

for i = 1, 2 do
  local score = scores[i]
  if score ~= false then
    if is_due(score) then
      forward(KEYS[i])
      score = lowest_score(KEYS[i])
    end
    if score and (not lowest or tonumber(score) < tonumber(lowest)) then
      lowest = score
    end
    if is_due(score) then
      more = 1
    end
  else
    broken[#broken + 1] = KEYS[i]
    broken[#broken + 1] = 'unusable_key'
  end
end
return {moved, more, lowest or '', broken, now_ns}
