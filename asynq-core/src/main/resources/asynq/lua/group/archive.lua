-- Takes tasks that cannot be aggregated out of a staged set: to the archive, or, where there is no
-- task under the id, out of the way. A task that says it stands elsewhere only leaves. Takes from
-- the archive what is too old or too much.
--
-- KEYS[1] staged set  asynq:{queue}:g:<group>:<set>
-- KEYS[2] archived    asynq:{queue}:archived
-- KEYS[3] processed   asynq:{queue}:processed, and with ":" and the day that of the day
-- KEYS[4] failed      asynq:{queue}:failed, likewise
-- ARGV[1] prefix of task hashes
-- ARGV[2] life of the day counters, s
-- ARGV[3] limit of the totals
-- ARGV[4] present time, ns, "" for that of Redis
-- ARGV[5] how long the archive keeps a task, s
-- ARGV[6] how many the archive keeps
-- ARGV[7…] two for each, at most 500: id; message, "" to leave it as it is
--
-- Returns one code per task: 1 archived, 2 there was no task, 0 not in the set or stands elsewhere,
-- -2 a key has the wrong type.
local usable = fits(KEYS[1], 'zset') and fits(KEYS[2], 'zset')
local codes, new, moved = {}, {}, 0
local now = present(ARGV[4])

local function archive(id, message)
  if not usable then
    return -2
  elseif redis.call('ZREM', KEYS[1], id) == 0 then
    return 0
  elseif kind(ARGV[1] .. id) ~= 'hash' then
    return 2
  end
  local state = redis.call('HGET', ARGV[1] .. id, 'state')
  if state and state ~= 'aggregating' then
    return 0
  end
  redis.call('ZADD', KEYS[2], now, id)
  redis.call('HSET', ARGV[1] .. id, 'state', 'archived')
  if message ~= '' then
    redis.call('HSET', ARGV[1] .. id, 'msg', message)
  end
  new[id] = true
  moved = moved + 1
  return 1
end

for i = 7, #ARGV, 2 do
  codes[#codes + 1] = archive(ARGV[i], ARGV[i + 1])
end
trim(KEYS[2], ARGV[1], new, moved, now - ARGV[5], ARGV[6])
count(moved, now, ARGV[2], ARGV[3], {KEYS[3], KEYS[4]})
return codes
