-- Part of other scripts: deletes aggregated tasks and removes their ids from the staged set. tasks has two for each, at
-- most 500: id; lock or "". An id that has left the set may belong to a new task, which is kept, and so is a task in
-- another state. Needs locks.
local function drop_members(set, prefix, tasks)
  for i = 1, #tasks, 2 do
    local id = tasks[i]
    if redis.call('ZREM', set, id) == 1 then
      local task = redis.pcall('HMGET', prefix .. id, 'state', 'unique_key')
      if not task.err and (not task[1] or task[1] == 'aggregating') then
        release(task[2], id)
        release(tasks[i + 1], id)
        redis.call('UNLINK', prefix .. id)
      end
    end
  end
end
