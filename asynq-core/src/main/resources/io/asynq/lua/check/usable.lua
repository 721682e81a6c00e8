-- Checks that this Redis can run the other scripts: it knows a form of ZRANGE that came with 6.2, and serves a key.
-- KEYS an unused key
-- Returns 1 usable, 0 too old.
local answer = redis.pcall('ZRANGE', KEYS[1], 0, 0, 'BYSCORE')
if not answer.err then return 1 end
return string.find(answer.err, 'syntax', 1, true) and 0 or answer
