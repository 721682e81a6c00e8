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
local ids = redis.pcall('LRANGE', KEYS[1], -tonumber(ARGV[3]), -1)
if #ids == 0 and not ids.err then
  return {1, {}, {}, {}, 0}
elseif ids.err or not fits(KEYS[3], 'list') or not fits(KEYS[4], 'zset') then
  return {-2, {}, {}, {}, 0}
end
local tasks, broken, taken, leases, seen, records, hashes = {}, {}, {}, {}, {}, {}, {}
local popped, bytes = 0, 0
local ends, left = lease_end(ARGV[1], ARGV[6])
-- A field of each task would cost a twentieth of all that is done here
local lasts = ARGV[6] == USUAL_LEASE_MS and {} or {'x-lasts', ARGV[6]}
-- A number would be made text again for each task, and a command looked up in a table
ends = string.format('%.0f', ends)
local call = redis.call
for i = #ids, 1, -1 do
  local id = ids[i]
  if not seen[id] then
    local hash = ARGV[2] .. id
    local task = redis.pcall('HMGET', hash, 'msg', 'state', 'x-suspect', 'x-cut-short')
    if task.err then
      broken[#broken + 1] = id
      broken[#broken + 1] = 'wrong_type'
    elseif not task[1] and call('EXISTS', hash) == 0 then
      broken[#broken + 1] = id
      broken[#broken + 1] = 'missing'
    elseif task[2] ~= 'active' or not call('ZSCORE', KEYS[4], id) then
      local message = task[1] or ''
      if #taken > 0 and bytes + #message > tonumber(ARGV[4]) then
        break
      end
      bytes = bytes + #message
      taken[#taken + 1] = id
      hashes[#hashes + 1] = hash
      tasks[#tasks + 1] = id
      tasks[#tasks + 1] = message
      leases[#leases + 1] = ends
      leases[#leases + 1] = id
      if task[3] or task[4] then
        local deaths = call('HMGET', hash, 'x-crashes', 'x-deaths')
        for _, value in ipairs({id, task[3] and '1' or '', deaths[1] or '', deaths[2] or '', task[4] or ''}) do
          records[#records + 1] = value
        end
      end
    end
    seen[id] = true
  end
  popped = popped + 1
end
call('LTRIM', KEYS[1], 0, -popped - 1)
if #taken > 0 then
  call('LPUSH', KEYS[3], unpack(taken))
  call('ZADD', KEYS[4], unpack(leases))
  for _, hash in ipairs(hashes) do
    call('HDEL', hash, 'pending_since', 'x-lasts')
    call('HSET', hash, 'state', 'active', 'x-attempt', ARGV[5], 'x-lease', ends, unpack(lasts))
  end
end
return {popped < tonumber(ARGV[3]) and popped == #ids and 1 or 0, tasks, broken, records, left}
