-- Part of other scripts: deletes tasks that have been aggregated and takes their ids out of the
-- staged set. tasks holds two for each, at most 500: id; lock or "". Who is late finds ids that have
-- left the set: they may be those of new tasks. A task that says it stands elsewhere keeps its hash
-- and its lock.
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

local function from_argv(first)
  local tasks = {}
  for i = first, #ARGV do
    tasks[#tasks + 1] = ARGV[i]
  end
  return tasks
end
