-- Part of other scripts: tasks that were woken stand at the front of their queue, in the order in which they began to
-- wait. x-woken of a task says since when, µs. KEYS[1] is pending, ARGV[2] the prefix of task hashes. Needs must.
local MOST_IN_FRONT = 64
local seen = {}

-- A pending task: its id; since when it has waited, nil if it was not woken; since when it is pending, ns.
local function at_rank(rank)
  if not seen[rank] then
    local id = must('LINDEX', KEYS[1], rank)
    local noted = id and redis.pcall('HMGET', ARGV[2] .. id, 'x-woken', 'pending_since') or {}
    seen[rank] = {id = id, since = tonumber(noted[1] or nil), pending = tonumber(noted[2] or nil)}
  end
  return seen[rank]
end

-- Puts tasks, {id, since}, to the front, where those stand that were woken before. Whoever has waited longest goes first:
-- the list is taken from its right end.
local function put_in_front(ready)
  local before = 0
  while before < MOST_IN_FRONT do
    local task = at_rank(-before - 1)
    if not task.since then
      break
    end
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

