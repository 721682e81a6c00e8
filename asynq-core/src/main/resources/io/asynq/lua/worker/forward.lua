-- Moves due tasks of scheduled and retry to pending, or to their group. The group of a delayed task applies once: if
-- the task went to pending before, as in Go, it runs by itself. A task whose group is unusable (a key of the wrong
-- type) goes to pending, so that it blocks no other. If the task's state names another container and the task is there,
-- only the id is removed: it must not run twice. Long lists are not searched; pending_since tells then.
-- KEYS scheduled, retry, pending, groups, cancelled
-- ARGV[1] present time; [2] prefix of the queue's keys; [3] how many of each of scheduled and retry at most; [4] "1" if
-- cancelled tasks have just been settled
-- Returns {} if they must be settled first, else {moved, 1 if more are due, lowest score left or "", {broken id, kind,
-- …}, present time, ns}; kinds: missing, wrong_type, unusable_key (scheduled or retry: then id is the key). Every
-- server looks, and most calls find nothing due, so that must be cheap.
if ARGV[4] ~= '1' and redis.call('EXISTS', KEYS[5]) == 1 then return {} end
local now, now_ns = present(ARGV[1])
local broken, moved, more, lowest, groups_usable = {}, 0, 0, nil, nil

-- nil if there is none, false if the key has another type
local function lowest_score(source)
  local lowest_entry = ask('ZRANGE', source, 0, 0, 'WITHSCORES')
  return lowest_entry ~= nil and lowest_entry[2]
end

local function stands_elsewhere(id, state, group, source, since)
  local container = container_of(state, group)
  local place = ARGV[2] .. (container or '')
  if place == source or not container or kind(place) ~= type_of(container) then
    return false
  elseif state == 'active' then
    return type(redis.pcall('ZSCORE', ARGV[2] .. 'lease', id)) == 'string'
  elseif state == 'pending' then
    local found = stands_in(place, id)
    return found == nil and since or found
  end
  return redis.call('ZSCORE', place, id)
end

local function into_group(id, task, group)
  if not groups_usable or not fits(ARGV[2] .. 'g:' .. group, 'zset') then return false end
  redis.call('ZADD', ARGV[2] .. 'g:' .. group, now, id)
  redis.call('SADD', KEYS[4], group)
  redis.call('HSET', task, 'state', 'aggregating', 'group', group, 'x-arrived', arrival(now_ns))
  redis.call('HDEL', task, 'x-group')
  return true
end

local function forward(source)
  local due, ready = redis.call('ZRANGEBYSCORE', source, '-inf', now, 'LIMIT', 0, ARGV[3]), {}
  redis.call('ZREM', source, unpack(due))
  for _, id in ipairs(due) do
    local hash = ARGV[2] .. 't:' .. id
    local task_kind = kind(hash)
    if task_kind ~= 'hash' then
      broken[#broken + 1], broken[#broken + 2] = id, task_kind == 'none' and 'missing' or 'wrong_type'
    else
      local task = redis.call('HMGET', hash, 'group', 'state', 'x-group', 'pending_since')
      if not stands_elsewhere(id, task[2], task[1], source, task[4]) then
        moved = moved + 1
        local group = task[1] or source == KEYS[1] and task[3]
        if not group or group == '' or not into_group(id, hash, group) then
          redis.call('HSET', hash, 'state', 'pending', 'pending_since', now_ns)
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
  local score = lowest_score(KEYS[i])
  if score and tonumber(score) <= now then
    if groups_usable == nil then
      must('LLEN', KEYS[3])
      groups_usable = fits(KEYS[4], 'set')
    end
    forward(KEYS[i])
    score = lowest_score(KEYS[i])
    more = score and tonumber(score) <= now and 1 or more
  end
  if score == false then
    broken[#broken + 1], broken[#broken + 2] = KEYS[i], 'unusable_key'
  elseif score and (not lowest or tonumber(score) < tonumber(lowest)) then
    lowest = score
  end
end
return {moved, more, lowest or '', broken, now_ns}
