-- Takes a token of a semaphore, if there is one left; whoever holds one keeps it, until the new
-- end. Tokens whose end has passed are given back, as Go does it: one second late.
--
-- KEYS[1] tokens  asynq:sema:<scope>
-- ARGV[1] present time, s
-- ARGV[2] how many tokens there are
-- ARGV[3] end of the token, s
-- ARGV[4] holder, a task's id
--
-- Returns 1 taken, 0 none left, -2 the key has the wrong type.
if not fits(KEYS[1], 'zset') then
  return -2
end
local ended = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', tonumber(ARGV[1]) - 1, 'LIMIT', 0, 1000)
if #ended > 0 then
  redis.call('ZREM', KEYS[1], unpack(ended))
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) and not redis.call('ZSCORE', KEYS[1], ARGV[4]) then
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[4])
return 1
