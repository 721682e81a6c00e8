-- Part of other scripts: the order in which tasks join their groups. Scores are whole seconds, so each task has a
-- number within its second, x-arrived. Go's tasks have none: within a second they come first, by id.
local arrivals = 0

-- The number of the next task. now_ns is the present time, ns, as text, and the same for all tasks of a script.
local function arrival(now_ns)
  arrivals = arrivals + 1
  return tonumber(string.sub(now_ns, -9)) + arrivals
end
