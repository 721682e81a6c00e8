-- Moves active tasks that have failed to retry, each by itself.
--
-- KEYS[1] active     asynq:{queue}:active
-- KEYS[2] lease      asynq:{queue}:lease
-- KEYS[3] retry      asynq:{queue}:retry
-- KEYS[4] processed  asynq:{queue}:processed, and with ":" and the day that of the day
-- KEYS[5] failed     asynq:{queue}:failed, likewise
-- ARGV[1] prefix of task hashes
-- ARGV[2] life of the day counters, s
-- ARGV[3] limit of the totals
-- ARGV[4] present time, ns, "" for that of Redis
-- ARGV[5…] five for each task: id; fence of the attempt; message; in how long, ms; "1" if it counts as
--   a failure
--
-- Returns one code per task: 1 to be retried, 0 not active or in other hands, 2 to be sent again
-- because enough was looked at, -2 a key has the wrong type.
local usable = fits(KEYS[1], 'list') and fits(KEYS[2], 'zset') and fits(KEYS[3], 'zset')
local codes, failures = {}, 0
local now, _, exact = present(ARGV[4])

local function retry(id, fence, message, delay, is_failure)
  local task = ARGV[1] .. id
  if not usable or not fits(task, 'hash') then
    return -2
  elseif not holds(task, fence, redis.call('ZSCORE', KEYS[2], id)) then
    return 0
  elseif not leave(KEYS[1], id) then
    return 2
  end
  redis.call('ZREM', KEYS[2], id)
  redis.call('ZADD', KEYS[3], math.floor(exact + delay / 1000), id)
  redis.call('HSET', task, 'msg', message, 'state', 'retry')
  forget(task, fence)
  failures = failures + (is_failure == '1' and 1 or 0)
  return 1
end

for i = 5, #ARGV, 5 do
  codes[#codes + 1] = retry(unpack(ARGV, i, i + 4))
end
count(failures, now, ARGV[2], ARGV[3], {KEYS[4], KEYS[5]})
return codes
