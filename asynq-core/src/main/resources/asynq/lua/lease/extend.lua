-- Gives leases their full time again; a lease that is not there is not created.
--
-- KEYS[1] lease  asynq:{queue}:lease
-- ARGV[1] new end, s
-- ARGV[2…] task ids, at most 1,000
--
-- Returns {1 extended, 0 no such lease, …} in the order of the ids, {-2} when lease is no
-- sorted set.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'zset' and kind ~= 'none' then
  return {-2}
end
local codes = {}
for i = 2, #ARGV do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) then
    redis.call('ZADD', KEYS[1], 'XX', ARGV[1], ARGV[i])
    codes[i - 1] = 1
  else
    codes[i - 1] = 0
  end
end
return codes
