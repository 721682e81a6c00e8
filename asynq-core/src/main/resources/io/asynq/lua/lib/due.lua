-- Part of other scripts: when a group that has tasks is due, s: at once if it has enough, else when no task has joined
-- it for long enough, or when its oldest task has waited for long enough. 0 for any size and any time.
local function due_at(group, size, now, grace, max_delay, max_size)
  if max_size > 0 and size >= max_size then return now end
  local function score(index)
    return tonumber(redis.call('ZRANGE', group, index, index, 'WITHSCORES')[2])
  end
  local at = score(-1) + grace
  return max_delay > 0 and math.min(at, score(0) + max_delay) or at
end
