-- Forgets staged sets that are gone, a thousand at a time, and tells whether a queue has tasks.
-- KEYS aggregation sets, pending, active, scheduled, retry, archived, completed, groups
-- Returns {staged sets forgotten, 1 if it has tasks, else 0}.
local forgotten = 0
if kind(KEYS[1]) == 'zset' then
  for _, key in ipairs(redis.call('ZRANGE', KEYS[1], 0, 999)) do
    if redis.call('EXISTS', key) == 0 then
      forgotten = forgotten + redis.call('ZREM', KEYS[1], key)
    end
  end
end
for i = 1, 8 do
  if redis.call('EXISTS', KEYS[i]) == 1 then return {forgotten, 1} end
end
return {forgotten, 0}
