-- Part of other scripts: whether a task is still in the hands of an attempt. One whose hash
-- is gone, or is no hash, cannot have passed to another.
local function holds(task, fence)
  local present = redis.pcall('HGET', task, 'x-attempt')
  return present == fence or type(present) == 'table'
    or not present and redis.call('EXISTS', task) == 0
end
