-- Releases a lock whose task is gone.
-- KEYS lock
-- ARGV prefix of task hashes
-- Returns 1 released, 0 not.
local id = redis.pcall('GET', KEYS[1])
if type(id) ~= 'string' or redis.call('EXISTS', ARGV[1] .. id) == 1 then return 0 end
return redis.call('DEL', KEYS[1])
