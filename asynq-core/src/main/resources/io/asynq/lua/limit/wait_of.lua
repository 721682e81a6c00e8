-- Reads what a task waits for.
-- KEYS task hash, retry
-- ARGV[1] task id
-- Returns {its needs, see wake}, nothing if it does not wait.
local noted, due = redis.pcall('HGET', KEYS[1], 'x-waits'), redis.pcall('ZSCORE', KEYS[2], ARGV[1])
if type(noted) ~= 'string' or type(due) ~= 'string' or string.sub(noted, 1, #due + 1) ~= due .. '\n' then return {} end
return {string.sub(noted, #due + 2)}
