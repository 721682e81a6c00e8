-- Pauses a queue.
-- KEYS paused
-- ARGV present time, s
-- Returns 1 paused, 0 it is paused already.
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
return 1
