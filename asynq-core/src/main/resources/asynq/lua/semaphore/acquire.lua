-- Takes a token of a semaphore, if there is one left; whoever holds one keeps it, until the new
-- end. Tokens whose end has passed are given back, as Go does it: one second late.
--
-- KEYS[1] tokens  asynq:sema:<scope>
-- KEYS[2] holder  asynqj:{…}:sema:<scope>:<task>, which attempt holds the token; that of the tokens
--                 where none can be known to lie beside it
-- ARGV[1] present time, ns, "" for that of Redis
-- ARGV[2] how many tokens there are
-- ARGV[3] how long the token lasts, ms
-- ARGV[4] holder, a task's id
-- ARGV[5] fence of the attempt
--
-- Returns 1 taken, 0 none left, -2 a key has the wrong type.
if not fits(KEYS[1], 'zset') or KEYS[2] ~= KEYS[1] and not fits(KEYS[2], 'string') then
  return -2
end
local now, _, exact = present(ARGV[1])
local ended = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - 1, 'LIMIT', 0, 1000)
if #ended > 0 then
  redis.call('ZREM', KEYS[1], unpack(ended))
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) and not redis.call('ZSCORE', KEYS[1], ARGV[4]) then
  return 0
end
local ends = math.ceil(exact + ARGV[3] / 1000)
redis.call('ZADD', KEYS[1], ends, ARGV[4])
if KEYS[2] ~= KEYS[1] and ends > now then
  redis.call('SET', KEYS[2], string.format('%s %.0f', ARGV[5], ends), 'EX', ends - now + 1)
end
return 1
