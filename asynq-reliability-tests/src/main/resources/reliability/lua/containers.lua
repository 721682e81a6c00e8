-- Tells at one moment where the ids of a queue stand and what their hashes say.
--
-- KEYS[1] pending    asynq:{queue}:pending
-- KEYS[2] active     asynq:{queue}:active
-- KEYS[3] scheduled  asynq:{queue}:scheduled
-- KEYS[4] retry      asynq:{queue}:retry
-- KEYS[5] archived   asynq:{queue}:archived
-- KEYS[6] completed  asynq:{queue}:completed
-- KEYS[7] lease      asynq:{queue}:lease
-- ARGV[1] prefix of task hashes
--
-- Returns seven lists in the order of the keys: {id, state, score, …} where state is "" if
-- there is no hash and "?" if it has none, and score is "0" in the lists.
local answer = {}
for i, key in ipairs(KEYS) do
  local entries = {}
  local ids
  if i <= 2 then
    ids = {}
    for _, id in ipairs(redis.call('LRANGE', key, 0, -1)) do
      ids[#ids + 1] = id
      ids[#ids + 1] = '0'
    end
  else
    ids = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  end
  for j = 1, #ids, 2 do
    local task = ARGV[1] .. ids[j]
    local state = redis.call('HGET', task, 'state')
    entries[#entries + 1] = ids[j]
    entries[#entries + 1] = state or (redis.call('EXISTS', task) == 1 and '?' or '')
    entries[#entries + 1] = ids[j + 1]
  end
  answer[i] = entries
end
return answer
