-- Stores many tasks of one queue, each by itself.
--
-- KEYS[1] pending    asynq:{queue}:pending
-- KEYS[2] scheduled  asynq:{queue}:scheduled
-- KEYS[3] groups     asynq:{queue}:groups
-- ARGV[1] prefix of task hashes
-- ARGV[2] prefix of groups
-- ARGV[3] present time of whoever asks, ns
-- ARGV[4] present time, ns, "" for that of Redis: groups are due by it
-- ARGV[5…] seven for each task: "pending", "scheduled" or "grouped"; id; message; when, s,
--   or ""; group or ""; lock or ""; life of the lock, s, or ""
--
-- Returns one code per task: 1 stored, 0 the id is taken, -1 the lock is held, -2 a key has
-- the wrong type; nothing is written for a task but for 1.
local pending_fits, scheduled_fits, groups_fit = fits(KEYS[1], 'list'), fits(KEYS[2], 'zset'), fits(KEYS[3], 'set')

local function container_fits(place, group)
  if place == 'pending' then
    return pending_fits
  elseif place == 'scheduled' then
    return scheduled_fits
  end
  return groups_fit and fits(ARGV[2] .. group, 'zset')
end

local codes, ready = {}, {}
local now = present(ARGV[4])

local function store(place, id, message, at, group, lock, ttl)
  local task = ARGV[1] .. id
  if not container_fits(place, group) then
    return -2
  elseif lock ~= '' and redis.call('EXISTS', lock) == 1 then
    return -1
  elseif redis.call('EXISTS', task) == 1 then
    return 0
  end
  -- First, because Redis may refuse the life of the lock
  if lock ~= '' and redis.pcall('SET', lock, id, 'EX', ttl).err then
    return -2
  end
  redis.call('HSET', task, 'msg', message, 'state', place == 'grouped' and 'aggregating' or place)
  if lock ~= '' then
    redis.call('HSET', task, 'unique_key', lock)
  end
  if group ~= '' then
    redis.call('HSET', task, place == 'scheduled' and 'x-group' or 'group', group)
  end
  if place == 'pending' then
    redis.call('HSET', task, 'pending_since', ARGV[3])
    ready[#ready + 1] = id
  elseif place == 'scheduled' then
    redis.call('ZADD', KEYS[2], at, id)
  else
    redis.call('ZADD', ARGV[2] .. group, now, id)
    redis.call('SADD', KEYS[3], group)
  end
  return 1
end

for i = 5, #ARGV, 7 do
  codes[#codes + 1] = store(unpack(ARGV, i, i + 6))
end
for first = 1, #ready, 1000 do
  redis.call('LPUSH', KEYS[1], unpack(ready, first, math.min(first + 999, #ready)))
end
return codes
