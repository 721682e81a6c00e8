-- Takes up to n pending tasks, each with a lease; nothing while the queue is paused. Ids
-- without a usable task, second entries of an id, and entries of a task that is being worked on
-- leave the list.
--
-- KEYS[1] pending  asynq:{queue}:pending
-- KEYS[2] paused   asynq:{queue}:paused
-- KEYS[3] active   asynq:{queue}:active
-- KEYS[4] lease    asynq:{queue}:lease
-- ARGV[1] end of the leases, s
-- ARGV[2] prefix of task hashes
-- ARGV[3] how many at most, up to 1,000
-- ARGV[4] how many bytes of messages at most; the first is taken whatever its size
-- ARGV[5] fence of the attempts
--
-- Returns {1 nothing more to give, 0 more may be pending, -2 a key has the wrong type;
-- {id, message, …}; {broken id, kind, …}}; a hash without a message gives "" for it; kinds:
-- missing, wrong_type.
if redis.call('EXISTS', KEYS[2]) == 1 then
  return {1, {}, {}}
end
local ids = redis.pcall('LRANGE', KEYS[1], -tonumber(ARGV[3]), -1)
if #ids == 0 and not ids.err then
  return {1, {}, {}}
elseif ids.err or not fits(KEYS[3], 'list') or not fits(KEYS[4], 'zset') then
  return {-2, {}, {}}
end
local tasks, broken, taken, leases, seen = {}, {}, {}, {}, {}
local popped, bytes = 0, 0
for i = #ids, 1, -1 do
  local id = ids[i]
  if not seen[id] then
    local task = redis.pcall('HMGET', ARGV[2] .. id, 'msg', 'state')
    if task.err then
      broken[#broken + 1] = id
      broken[#broken + 1] = 'wrong_type'
    elseif not task[1] and redis.call('EXISTS', ARGV[2] .. id) == 0 then
      broken[#broken + 1] = id
      broken[#broken + 1] = 'missing'
    elseif task[2] ~= 'active' or not redis.call('ZSCORE', KEYS[4], id) then
      local message = task[1] or ''
      if #taken > 0 and bytes + #message > tonumber(ARGV[4]) then
        break
      end
      bytes = bytes + #message
      taken[#taken + 1] = id
      tasks[#tasks + 1] = id
      tasks[#tasks + 1] = message
      leases[#leases + 1] = ARGV[1]
      leases[#leases + 1] = id
    end
    seen[id] = true
  end
  popped = popped + 1
end
redis.call('LTRIM', KEYS[1], 0, -popped - 1)
if #taken > 0 then
  redis.call('LPUSH', KEYS[3], unpack(taken))
  redis.call('ZADD', KEYS[4], unpack(leases))
  for _, id in ipairs(taken) do
    redis.call('HSET', ARGV[2] .. id, 'state', 'active', 'x-attempt', ARGV[5])
    redis.call('HDEL', ARGV[2] .. id, 'pending_since')
  end
end
return {popped < tonumber(ARGV[3]) and popped == #ids and 1 or 0, tasks, broken}
