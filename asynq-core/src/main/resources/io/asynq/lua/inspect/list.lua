-- Reads a slice of a container's tasks, as many as fit into a number of bytes.
-- KEYS container, a list is read from its right end; lease
-- ARGV[1] prefix of task hashes; [2] how many ids to skip; [3] how many ids to look at; [4] how many bytes of messages
-- and results at most; the first is read whatever its size; [5] present time
-- Returns {ids looked at, {id, score or "", end of its lease or "", message, result or "", what it waits for or "", see
-- complete/wait, since when it is pending, ns, or "", …}; present time, ns}; ids without a message are left out.
local _, now_ns = present(ARGV[5])
local entries, first, count = {}, tonumber(ARGV[2]), tonumber(ARGV[3])
if kind(KEYS[1]) == 'list' then
  local ids = redis.call('LRANGE', KEYS[1], -first - count, -first - 1)
  for i = #ids, 1, -1 do
    entries[#entries + 1], entries[#entries + 2] = ids[i], ''
  end
else
  entries = must('ZRANGE', KEYS[1], first, first + count - 1, 'WITHSCORES')
end
local has_leases = kind(KEYS[2]) == 'zset'
local tasks, looked, bytes = {}, 0, 0
for i = 1, #entries, 2 do
  local task = redis.pcall('HMGET', ARGV[1] .. entries[i], 'msg', 'result', 'x-waits', 'pending_since')
  local message, result = not task.err and task[1] or nil, task[2] or ''
  if message then
    bytes = bytes + #message + #result
    if #tasks > 0 and bytes > tonumber(ARGV[4]) then break end
    local lease = has_leases and redis.call('ZSCORE', KEYS[2], entries[i])
    for _, field in ipairs({entries[i], entries[i + 1], lease or '', message, result, task[3] or '',
        task[4] or ''}) do
      tasks[#tasks + 1] = field
    end
  end
  looked = looked + 1
end
return {looked, tasks, now_ns}
