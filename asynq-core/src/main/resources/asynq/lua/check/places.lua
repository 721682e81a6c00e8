-- Tells where ids stand, and what is under them.
--
-- KEYS[1] active  asynq:{queue}:active
-- ARGV[1] prefix of the queue's keys
-- ARGV[2…] two for each id, at most 100: task id; container it was seen in, or ""
--
-- Returns for each id {type of its task's key, state or "", 1 if it has a lease, container, …};
-- containers as they follow the prefix.
local answer = {}
for i = 2, #ARGV, 2 do
  local id = ARGV[i]
  local task = ARGV[1] .. 't:' .. id
  local task_kind = kind(task)
  local fields = task_kind == 'hash' and redis.call('HMGET', task, 'state', 'group') or {}
  local places = {task_kind, fields[1] or '', scored(ARGV[1] .. 'lease', id) and 1 or 0}
  for _, container in ipairs(containers_of(ARGV[1], id, fields[2], ARGV[i + 1])) do
    places[#places + 1] = container
  end
  answer[#answer + 1] = places
end
return answer
