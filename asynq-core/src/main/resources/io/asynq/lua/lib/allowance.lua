-- Part of other scripts: how many tasks, and bytes of their messages, a call may still take, over all of its queues.
local tasks_left, bytes_left

-- Returns how many of n tasks may be taken from the next queue; the first queue of a call sets its limits. The first
-- task of a call may be taken whatever its size.
local function allow(n, tasks, bytes)
  if not tasks_left then
    tasks_left, bytes_left = tonumber(tasks), tonumber(bytes)
  end
  return math.min(tonumber(n), tasks_left)
end
