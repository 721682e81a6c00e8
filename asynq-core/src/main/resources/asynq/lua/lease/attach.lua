-- Gives ids that are still active, and still have no lease, one that has ended.
--
-- KEYS[1] active  asynq:{queue}:active
-- KEYS[2] lease   asynq:{queue}:lease
-- ARGV[1] end of the lease, s
-- ARGV[2…] task ids
--
-- Returns how many got one, -2 when active or lease has the wrong type.
local active_kind = redis.call('TYPE', KEYS[1]).ok
local lease_kind = redis.call('TYPE', KEYS[2]).ok
if (active_kind ~= 'list' and active_kind ~= 'none') or (lease_kind ~= 'zset' and lease_kind ~= 'none') then
  return -2
end
local attached = 0
for i = 2, #ARGV do
  if redis.call('LPOS', KEYS[1], ARGV[i]) then
    attached = attached + redis.call('ZADD', KEYS[2], 'NX', ARGV[1], ARGV[i])
  end
end
return attached
