-- Makes tasks due that wait for a handler, a slice at a time, and forgets that they wait: a server has a handler. A
-- task whose message has changed was tried meanwhile, and has a retry time of its own.
-- KEYS retry, unhandled, the tasks of the type by since when they wait
-- ARGV[1] present time; [2] prefix of task hashes; [3] type; [4] how many at most, up to 2,000
-- Returns how many were looked at.
local now = string.format('%.0f', (present(ARGV[1])))
must('ZCARD', KEYS[1])
must('ZCARD', KEYS[2])
local ids, due = must('ZRANGE', KEYS[3], 0, ARGV[4] - 1), {}
for _, id in ipairs(ids) do
  local task = redis.pcall('HMGET', ARGV[2] .. id, 'msg', 'x-unhandled')
  if task[1] and task[2] == redis.sha1hex(task[1]) then
    due[#due + 1], due[#due + 2] = now, id
  end
end
if #due > 0 then
  redis.call('ZADD', KEYS[1], 'XX', unpack(due))
end
if #ids > 0 then
  redis.call('ZREM', KEYS[3], unpack(ids))
end
if redis.call('ZCARD', KEYS[3]) == 0 then
  redis.call('ZREM', KEYS[2], ARGV[3])
end
return #ids
