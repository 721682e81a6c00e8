-- Part of other scripts: what costs more the longer a list is. Whether a task is active is told by
-- its hash and its lease; the list, which Go reads, is only kept tidy. A script ends when it has
-- looked at so many entries (about 5 ms): what is left is for another call.
local MOST_LOOKED_AT = 200000
local SHORT = 500
local looked_at, active_size = 0, nil
-- Which end of the list the last one was near to, and how near.
local near, reach = -1, 512

-- Notes how long the list is; returns nil if it is none. Needs kinds.
local function measure(active)
  active_size = ask('LLEN', active)
  return active_size
end

-- Takes an id out of one end of the list, if it is among the first so many there.
local function leave_from(active, id, rank, most)
  local index = redis.call('LPOS', active, id, 'RANK', rank, 'MAXLEN', most)
  if not index then
    looked_at = looked_at + most
    return false
  end
  looked_at = looked_at + 2 * (rank == 1 and index + 1 or active_size - index)
  redis.call('LREM', active, rank, id)
  active_size = active_size - 1
  near, reach = rank, most
  return true
end

-- Takes an id out of the list of active tasks. It is looked for from both ends, farther and farther:
-- long tasks stand at the right, those that were taken just now at the left; where the last one was
-- far from both, Redis takes the next out in one walk. Returns whether it is out now; if not, nothing
-- was done, because enough was looked at before.
local function leave(active, id)
  if looked_at >= MOST_LOOKED_AT then
    return false
  end
  active_size = active_size or measure(active)
  local most, half = reach, math.ceil(active_size / 2)
  if active_size <= SHORT or most >= half then
    looked_at = looked_at + active_size
    active_size = active_size - redis.call('LREM', active, near, id)
    return true
  end
  while true do
    most = math.min(most, half)
    if leave_from(active, id, near, most) or leave_from(active, id, -near, most) or most == half then
      return true
    end
    most = most * 8
  end
end

-- Takes many ids out of a list that is not much longer.
local function leave_together(active, ids)
  local kept = {}
  for _, id in ipairs(redis.call('LRANGE', active, 0, -1)) do
    if not ids[id] then
      kept[#kept + 1] = id
    end
  end
  redis.call('DEL', active)
  if #kept > 0 then
    redis.call('RPUSH', active, unpack(kept))
  end
end

-- Whether an id stands in a list; nil, which is not known, when that would be too much to look at.
local function stands_in(list, id)
  looked_at = looked_at + redis.call('LLEN', list)
  if looked_at > MOST_LOOKED_AT then
    return nil
  end
  return redis.call('LPOS', list, id) ~= false
end
