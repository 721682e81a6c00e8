-- Keeps active tasks that have succeeded for their retention, each by itself.
--
-- KEYS[1] active     asynq:{queue}:active
-- KEYS[2] lease      asynq:{queue}:lease
-- KEYS[3] completed  asynq:{queue}:completed
-- KEYS[4] processed  asynq:{queue}:processed, and with ":" and the day that of the day
-- ARGV[1] prefix of task hashes
-- ARGV[2] life of the day counter, s
-- ARGV[3] limit of the totals
-- ARGV[4] present time, ns, "" for that of Redis
-- ARGV[5…] seven for each task: id; fence of the attempt; message; its retention, s;
--   lock or ""; "1" if a result follows; result
--
-- Returns one code per task: 1 completed, 0 not active or in other hands, 2 to be sent again
-- because enough was looked at, -2 a key has the wrong type.
local usable = fits(KEYS[1], 'list') and fits(KEYS[2], 'zset') and fits(KEYS[3], 'zset')
local codes, moved = {}, 0
local now = present(ARGV[4])

local function complete(id, fence, message, retention, lock, has_result, result)
  local task = ARGV[1] .. id
  if not usable or not fits(task, 'hash') then
    return -2
  elseif not holds(task, fence, redis.call('ZSCORE', KEYS[2], id)) then
    return 0
  elseif not leave(KEYS[1], id) then
    return 2
  end
  redis.call('ZREM', KEYS[2], id)
  -- The years 1 to 9999: a message may say anything
  redis.call('ZADD', KEYS[3], math.max(-62135596800, math.min(now + retention, 253402300799)), id)
  redis.call('HSET', task, 'msg', message, 'state', 'completed')
  forget(task, fence)
  if has_result == '1' then
    redis.call('HSET', task, 'result', result)
  end
  release(lock, id)
  moved = moved + 1
  return 1
end

for i = 5, #ARGV, 7 do
  codes[#codes + 1] = complete(unpack(ARGV, i, i + 6))
end
count(moved, now, ARGV[2], ARGV[3], {KEYS[4]})
return codes
