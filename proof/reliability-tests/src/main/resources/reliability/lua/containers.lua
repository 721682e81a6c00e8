-- Tells at one moment where the ids of a queue stand and what their hashes say.
--
-- KEYS[1] pending           asynq:{queue}:pending
-- KEYS[2] active            asynq:{queue}:active
-- KEYS[3] scheduled         asynq:{queue}:scheduled
-- KEYS[4] retry             asynq:{queue}:retry
-- KEYS[5] archived          asynq:{queue}:archived
-- KEYS[6] completed         asynq:{queue}:completed
-- KEYS[7] lease             asynq:{queue}:lease
-- KEYS[8] groups            asynq:{queue}:groups
-- KEYS[9] aggregation sets  asynq:{queue}:aggregation_sets
-- KEYS[10] aggregated       asynqj:{queue}:aggregated
-- ARGV[1] prefix of task hashes
-- ARGV[2] prefix of groups
-- ARGV[3…] keys of groups and staged sets, to be looked at also if they are not listed
--
-- Returns nine lists: the first six keys, all groups, all staged sets, leases. Each is
-- {id, state, score, …} where state is "" if there is no hash and "?" if it has none, and
-- score is "0" in the two that are lists in Redis.
local groups, staged, seen = {}, {}, {}

local function note(list, key)
  if not seen[key] and redis.call('TYPE', key).ok == 'zset' then
    list[#list + 1] = key
  end
  seen[key] = true
end

for i = 9, 10 do
  for _, key in ipairs(redis.call('ZRANGE', KEYS[i], 0, -1)) do
    note(staged, key)
  end
end
for _, group in ipairs(redis.call('SMEMBERS', KEYS[8])) do
  note(groups, ARGV[2] .. group)
end
for i = 3, #ARGV do
  note(groups, ARGV[i])
end

local function add(entries, ids)
  for i = 1, #ids, 2 do
    local task = ARGV[1] .. ids[i]
    local state = redis.call('HGET', task, 'state')
    entries[#entries + 1] = ids[i]
    entries[#entries + 1] = state or (redis.call('EXISTS', task) == 1 and '?' or '')
    entries[#entries + 1] = ids[i + 1]
  end
  return entries
end

local function list(key)
  local ids = {}
  for _, id in ipairs(redis.call('LRANGE', key, 0, -1)) do
    ids[#ids + 1] = id
    ids[#ids + 1] = '0'
  end
  return add({}, ids)
end

local function sets(keys)
  local entries = {}
  for _, key in ipairs(keys) do
    add(entries, redis.call('ZRANGE', key, 0, -1, 'WITHSCORES'))
  end
  return entries
end

return {
  list(KEYS[1]), list(KEYS[2]), sets({KEYS[3]}), sets({KEYS[4]}), sets({KEYS[5]}), sets({KEYS[6]}),
  sets(groups), sets(staged), sets({KEYS[7]})
}
