-- Moves active tasks whose message nobody can read to the archive; the message stays as it is.
-- Takes from the archive what is too old or too much. Others may be able to read what whoever asks
-- cannot, Go or a newer version, so a task that has passed into their hands meanwhile is left to them.
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
-- ARGV[7…] three for each task: id; fence of the attempt that has it, "" if none of ours has; end of its
--   lease as it was seen, s, "" if whoever asks has just taken it
--
-- Returns one code per task: 1 archived, 0 not active or in other hands, 2 to be sent again because
-- enough was looked at, -2 a key has the wrong type.
local usable = fits(KEYS[1], 'list') and fits(KEYS[2], 'zset') and fits(KEYS[3], 'zset')
local codes, new, moved = {}, {}, 0
local now = present(ARGV[4])

local function unchanged(task, score, fence, ends)
  local noted = redis.call('HMGET', task, 'x-attempt', 'state')
  return score and (ends == '' or tonumber(ends) == tonumber(score)) and holder_of(noted[1], score) == fence
    and (not noted[2] or noted[2] == 'active')
end

local function archive(id, fence, ends)
  if not usable or kind(ARGV[1] .. id) ~= 'hash' then
    return -2
  elseif not unchanged(ARGV[1] .. id, redis.call('ZSCORE', KEYS[2], id), fence, ends) then
    return 0
  elseif not leave(KEYS[1], id) then
    return 2
  end
  redis.call('ZREM', KEYS[2], id)
  redis.call('ZADD', KEYS[3], now, id)
  redis.call('HSET', ARGV[1] .. id, 'state', 'archived')
  forget_all(ARGV[1] .. id)
  new[id] = true
  moved = moved + 1
  return 1
end

for i = 7, #ARGV, 3 do
  codes[#codes + 1] = archive(ARGV[i], ARGV[i + 1], ARGV[i + 2])
end
trim(KEYS[3], ARGV[1], new, moved, now - ARGV[5], ARGV[6])
count(moved, now, ARGV[2], ARGV[3], {KEYS[4], KEYS[5]})
return codes
