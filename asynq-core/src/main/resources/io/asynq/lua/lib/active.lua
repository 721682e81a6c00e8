-- Part of other scripts: the only way out of active. Whether a task is active is told by its hash and its lease; the
-- list, which Go reads, is only kept tidy. The longer it is, the more it costs. Needs answers and looks.
local SHORT = 500
local active_size = nil
-- Which end of the list the last id was near, and how near.
local near, reach = '-1', 512

-- Removes an id from a long list. It is searched from both ends, farther and farther: long-running tasks are at the
-- right, new ones at the left. If the last id was far from both, one LREM walks the whole list.
local function leave_long(active, id)
  local most, half = reach, math.ceil(active_size / 2)
  if most >= half then
    looked_at = looked_at + active_size
    active_size = active_size - redis.call('LREM', active, near, id)
    return
  end

  local function leave_from(rank)
    local index = redis.call('LPOS', active, id, 'RANK', rank, 'MAXLEN', most)
    if not index then
      looked_at = looked_at + most
      return false
    end
    looked_at = looked_at + 2 * (rank == '1' and index + 1 or active_size - index)
    redis.call('LREM', active, rank, id)
    active_size = active_size - 1
    near, reach = rank, most
    return true
  end

  while true do
    most = math.min(most, half)
    if leave_from(near) or leave_from(near == '1' and '-1' or '1') or most == half then return end
    most = most * 8
  end
end

-- Removes an id from the list of active tasks. Returns false, and does nothing, when the look limit is reached.
local function leave(active, id)
  if looked_at >= MOST_LOOKED_AT then return false end
  active_size = active_size or ask('LLEN', active)
  if active_size > SHORT then
    leave_long(active, id)
  else
    looked_at = looked_at + active_size
    active_size = active_size - redis.call('LREM', active, near, id)
  end
  return true
end
