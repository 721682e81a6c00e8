-- Takes up to n pending tasks, each with a lease; nothing while the queue is paused, or when whoever
-- asks has given up waiting for the answer. Ids without a usable task, second entries of an id, and
-- entries of a task that is being worked on leave the list.
--
-- KEYS[1] pending  asynq:{queue}:pending
-- KEYS[2] paused   asynq:{queue}:paused
-- KEYS[3] active   asynq:{queue}:active
-- KEYS[4] lease    asynq:{queue}:lease
-- KEYS[5] void     asynqj:{queue}:void:<fence>
-- ARGV[1] present time, ns, "" for that of Redis
-- ARGV[2] prefix of task hashes
-- ARGV[3] how many at most, up to 1,000
-- ARGV[4] how many bytes of messages at most; the first is taken whatever its size
-- ARGV[5] fence of the attempts
-- ARGV[6] how long their leases last, ms
--
-- Returns {1 nothing more to give, 0 more may be pending, -2 a key has the wrong type;
-- {id, message, …}; {broken id, kind, …}; five for each task with a record: id, "1" if it is a
-- suspect, crashes, deaths, times cut short, …; how long the leases last from now on, ms}; what is not there is ""; kinds: missing, wrong_type.
if redis.call('EXISTS', KEYS[2], KEYS[5]) > 0 then
  return {1, {}, {}, {}, 0}
end
local ids = redis.pcall('LRANGE', KEYS[1], '-' .. ARGV[3], '-1')
if #ids == 0 and not ids.err then
  return {1, {}, {}, {}, 0}
elseif ids.err or not ask('LLEN', KEYS[3]) or not ask('ZCARD', KEYS[4]) then
  return {-2, {}, {}, {}, 0}
end
local tasks, broken, taken, leases, seen, records = {}, {}, {}, {}, {}, {}
local popped, bytes, n, most = 0, 0, 0, tonumber(ARGV[4])
local ends, left = lease_end(ARGV[1], ARGV[6])
local attempt = ARGV[5] .. '@' .. ends
local call, pcall = redis.call, redis.pcall
for i = #ids, 1, -1 do
  local id = ids[i]
  if not seen[id] then
    local hash = ARGV[2] .. id
    local task = pcall('HMGET', hash, 'msg', 'state', 'x-suspect', 'x-cut-short')
    if task.err then
      broken[#broken + 1] = id
      broken[#broken + 1] = 'wrong_type'
    elseif not task[1] and call('EXISTS', hash) == 0 then
      broken[#broken + 1] = id
      broken[#broken + 1] = 'missing'
    elseif task[2] ~= 'active' or not call('ZSCORE', KEYS[4], id) then
      local message = task[1] or ''
      if n > 0 and bytes + #message > most then
        break
      end
      bytes = bytes + #message
      n = n + 1
      taken[n] = id
      tasks[2 * n - 1], tasks[2 * n] = id, message
      leases[2 * n - 1], leases[2 * n] = ends, id
      if task[3] or task[4] then
        local deaths = call('HMGET', hash, 'x-crashes', 'x-deaths')
        for _, value in ipairs({id, task[3] and '1' or '', deaths[1] or '', deaths[2] or '', task[4] or ''}) do
          records[#records + 1] = value
        end
      end
    end
    seen[id] = (task[3] or task[4]) and attempt .. '!' or attempt
  end
  popped = popped + 1
end
call('LTRIM', KEYS[1], '0', string.format('%.0f', -popped - 1))
if n > 0 then
  call('LPUSH', KEYS[3], unpack(taken))
  call('ZADD', KEYS[4], unpack(leases))
  for _, id in ipairs(taken) do
    local hash = ARGV[2] .. id
    call('HDEL', hash, 'pending_since')
    call('HSET', hash, 'state', 'active', 'x-attempt', seen[id])
  end
end
return {popped < tonumber(ARGV[3]) and popped == #ids and 1 or 0, tasks, broken, records, left}
