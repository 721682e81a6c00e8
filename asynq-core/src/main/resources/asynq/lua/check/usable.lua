-- Looks whether this Redis can do what the other scripts need: it knows a form of ZRANGE that
-- came with 6.2, and is responsible for a key.
--
-- KEYS[1] a key that nobody has  asynqj:{<any>}:check
--
-- Returns 1 usable, 0 too old.
local answer = redis.pcall('ZRANGE', KEYS[1], 0, 0, 'BYSCORE')
if not answer.err then
  return 1
end
return string.find(answer.err, 'syntax', 1, true) and 0 or answer
