-- Part of other scripts: what costs more the longer a list is. Whether a task is active is told by
-- its hash and its lease; the list, which Go reads, is only kept tidy. Needs answers and looks.
local SHORT = 500
local active_size = nil
-- Which end of the list the last one was near to, and how near.
local near, reach = '-1', 512

-- Takes an id out of a long list. It is looked for from both ends, farther and farther: long tasks
-- stand at the right, those that were taken just now at the left; where the last one was far from
-- both, Redis takes the next out in one walk.
local function leave_long(active, id)
  local most, half = reach, math.ceil(active_size / 2)
  if most >= half then
    looked_at = looked_at + active_size
    active_size = active_size - redis.call('LREM', active, near, id)
    return
  end

  -- Takes it out of one end, if it is among the first there.
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
    if leave_from(near) or leave_from(near == '1' and '-1' or '1') or most == half then
      return
    end
    most = most * 8
  end
end

-- Takes an id out of the list of active tasks. Returns whether it is out now; if not, nothing was
-- done, because enough was looked at before.
local function leave(active, id)
  if looked_at >= MOST_LOOKED_AT then
    return false
  end
  active_size = active_size or ask('LLEN', active)
  if active_size > SHORT then
    leave_long(active, id)
  else
    looked_at = looked_at + active_size
    active_size = active_size - redis.call('LREM', active, near, id)
  end
  return true
end
