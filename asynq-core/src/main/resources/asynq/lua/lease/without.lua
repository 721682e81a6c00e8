-- Lists active ids that have no lease, among one slice of the list.
--
-- KEYS[1] active  asynq:{queue}:active
-- KEYS[2] lease   asynq:{queue}:lease
-- ARGV[1] first index
-- ARGV[2] last index
--
-- Returns {length of the slice, id, …}; {-2} when active or lease has the wrong type.
local active_kind = redis.call('TYPE', KEYS[1]).ok
local lease_kind = redis.call('TYPE', KEYS[2]).ok
if (active_kind ~= 'list' and active_kind ~= 'none') or (lease_kind ~= 'zset' and lease_kind ~= 'none') then
  return {-2}
end
local ids = redis.call('LRANGE', KEYS[1], ARGV[1], ARGV[2])
local answer = {#ids}
for _, id in ipairs(ids) do
  if not redis.call('ZSCORE', KEYS[2], id) then
    answer[#answer + 1] = id
  end
end
return answer
