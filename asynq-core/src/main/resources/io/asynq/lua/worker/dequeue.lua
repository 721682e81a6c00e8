-- Takes up to n pending tasks, each with a lease; none while the queue is paused, or when the caller has given up. Ids
-- without a usable task, duplicate entries, and entries of a task that is active are removed. A cancelled task is left
-- where it is. Suspects are not fetched ahead.
-- KEYS pending, paused, active, lease, void, cancelled
-- ARGV[1] present time; [2] prefix of task hashes; [3] how many at most, up to 1,000; [4] how many bytes of messages a
-- call takes at most, over all of its queues; [5] fence of the attempts; [6] how long their leases last, ms; [7] how
-- many tasks a call takes at most, over all of its queues; [8] how many of them are fetched ahead: no worker is idle
-- for the last ones
-- Returns {1 no more are pending, 0 more may be, 2 the queues before took all that the call may take, 3 it is paused;
-- {id, message, …}; {broken id, kind, …}; five for each task with a record: id, "1" if it is a suspect, crashes,
-- deaths, times cut short, …; how long the leases last from now on, ms; how long the first task has been pending, µs,
-- by the clock of whoever made it pending; the id of the next one if it is cancelled; how many are left pending; {ids
-- of those that were woken, see limit/wake}}; what is not there is ""; kinds: missing, wrong_type. Asking how long each
-- has been pending would cost a tenth of the script.
local most = allow(ARGV[3], ARGV[7], ARGV[4])
local cancels = most > 0 and redis.call('EXISTS', KEYS[2], KEYS[5], KEYS[6]) > 0
local closed = most == 0 or cancels and redis.call('EXISTS', KEYS[2], KEYS[5]) > 0
local ids = closed and {} or must('LRANGE', KEYS[1], string.format('%.0f', -most), '-1')
if #ids == 0 then
  return {most == 0 and 2 or closed and redis.call('EXISTS', KEYS[2]) == 1 and 3 or 1, {}, {}, {}, 0, '', '', 0, {}}
end
must('LLEN', KEYS[3])
must('ZCARD', KEYS[4])
local call, pcall = redis.call, redis.pcall
-- Growing a table costs more than filling it: these are presized to the slice
local taken, tasks, leases = {unpack(ids)}, {unpack(ids)}, {unpack(ids)}
local broken, records, woken, popped, n, since, cancelled = {}, {}, {}, 0, 0, nil, ''
local total, ahead = tonumber(ARGV[7]), tonumber(ARGV[8])
local ends, left, now = lease_end(ARGV[1], ARGV[6])
local attempt, marked = ARGV[5] .. '@' .. ends, ARGV[5] .. '@' .. ends .. '!'

-- Whether an active task is held by an attempt, or was taken above through a duplicate entry.
local function is_in_hands(id, hash)
  if call('ZSCORE', KEYS[4], id) then return true end
  local noted = call('HGET', hash, 'x-attempt')
  return noted == attempt or noted == marked
end

for i = #ids, 1, -1 do
  local id = ids[i]
  local hash = ARGV[2] .. id
  local task = pcall('HMGET', hash, 'msg', 'state', 'x-suspect', 'x-cut-short', 'x-woken')
  if task.err and not string.find(task.err, 'WRONGTYPE ', 1, true) then
    error(task.err, 0)
  elseif task.err or not task[1] and call('EXISTS', hash) == 0 then
    if not broken[id] then
      broken[id] = true
      broken[#broken + 1] = id
      broken[#broken + 1] = task.err and 'wrong_type' or 'missing'
    end
  elseif cancels and task[2] ~= 'active' and call('HGET', hash, 'x-cancel') then
    cancelled = id
    break
  elseif task[2] ~= 'active' or not is_in_hands(id, hash) then
    local message, recorded = task[1] or '', task[3] or task[4]
    if tasks_left < total and #message > bytes_left or task[3] and tasks_left <= ahead then break end
    bytes_left = bytes_left - #message
    tasks_left = tasks_left - 1
    n = n + 1
    taken[n] = id
    tasks[2 * n - 1], tasks[2 * n] = id, message
    leases[2 * n - 1], leases[2 * n] = ends, id
    if recorded then
      local deaths = call('HMGET', hash, 'x-crashes', 'x-deaths')
      for _, value in ipairs({id, task[3] and '1' or '', deaths[1] or '', deaths[2] or '', task[4] or ''}) do
        records[#records + 1] = value
      end
    end
    woken[#woken + 1] = task[5] and id or nil
    since = n == 1 and tonumber(call('HGET', hash, 'pending_since')) or since
    -- First a command that Redis executes even when it is out of memory
    call('HDEL', hash, 'pending_since')
    call('HSET', hash, 'state', 'active', 'x-attempt', recorded and marked or attempt)
  end
  popped = popped + 1
end
for k = 2 * n + 1, #ids do
  tasks[k] = nil
end
call('LTRIM', KEYS[1], '0', string.format('%.0f', -popped - 1))
if n > 0 then
  call('LPUSH', KEYS[3], unpack(taken, 1, n))
  call('ZADD', KEYS[4], unpack(leases, 1, 2 * n))
end
local over = popped < most and popped == #ids
-- Its turn is not over while it has more than it gave
tasks_left = (over or n == most) and tasks_left or 0
return {over and 1 or 0, tasks, broken, records, left, since and now * 1000000 - since / 1000 or '', cancelled,
  over and 0 or call('LLEN', KEYS[1]), woken}
