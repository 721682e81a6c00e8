-- Moves active tasks that have failed for good to the archive, each by itself, and takes from
-- the archive what is too old or too much: never what has just come, and no more in one call
-- than a hundred beyond what has come.
--
-- KEYS[1] active     asynq:{queue}:active
-- KEYS[2] lease      asynq:{queue}:lease
-- KEYS[3] archived   asynq:{queue}:archived
-- KEYS[4] processed  asynq:{queue}:processed, and with ":" and the day that of the day
-- KEYS[5] failed     asynq:{queue}:failed, likewise
-- ARGV[1] prefix of task hashes
-- ARGV[2] life of the day counters, s
-- ARGV[3] limit of the totals
-- ARGV[4] present time, ns, "" for that of Redis
-- ARGV[5] how long the archive keeps a task, s
-- ARGV[6] how many the archive keeps
-- ARGV[7…] three for each task: id; fence of the attempt; message
--
-- Returns one code per task: 1 archived, 0 not active or in other hands, 2 to be sent again
-- because enough was looked at, -2 a key has the wrong type.
local new, moved = {}, {}
local now = math.floor(present_seconds(ARGV[4]))
local now_text = string.format('%.0f', now)

local codes = end_each(7, 3, ask('ZCARD', KEYS[3]), NONE, function(id, task, i, marked)
  if marked then
    forget_all(task)
  else
    forget_attempt(task)
  end
  redis.call('HSET', task, 'msg', ARGV[i + 2], 'state', 'archived')
  new[id] = true
  moved[#moved + 1] = now_text
  moved[#moved + 1] = id
end)
if #moved > 0 then
  redis.call('ZADD', KEYS[3], unpack(moved))
end
trim(KEYS[3], ARGV[1], new, #moved / 2, now - ARGV[5], ARGV[6])
count(#moved / 2, now, ARGV[2], ARGV[3], {KEYS[4], KEYS[5]})
return codes
