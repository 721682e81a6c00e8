-- Part of other scripts: deletes tasks that have been aggregated and takes their ids out of the
-- staged set. tasks holds two for each, at most 500: id; lock or "". A task that says it stands
-- elsewhere keeps its hash and its lock.
local function drop_members(set, prefix, tasks)
  local ids = {}
  for i = 1, #tasks, 2 do
    local id = tasks[i]
    local task = redis.pcall('HMGET', prefix .. id, 'state', 'unique_key')
    if not task.err and (not task[1] or task[1] == 'aggregating') then
      release(task[2], id)
      release(tasks[i + 1], id)
      redis.call('UNLINK', prefix .. id)
    end
    ids[#ids + 1] = id
  end
  if #ids > 0 then
    redis.call('ZREM', set, unpack(ids))
  end
end

local function from_argv(first)
  local tasks = {}
  for i = first, #ARGV do
    tasks[#tasks + 1] = ARGV[i]
  end
  return tasks
end
