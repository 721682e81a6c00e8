-- Gives a token of a semaphore back, unless another attempt at the task holds it by now.
--
-- KEYS[1] tokens  asynq:sema:<scope>
-- KEYS[2] holder  asynqj:{…}:sema:<scope>:<task>, which attempt holds the token; that of the tokens
--                 where none can be known to lie beside it
-- ARGV[1] holder, a task's id
-- ARGV[2] fence of the attempt
--
-- Returns 1 given back, 0 not held, -2 the key has the wrong type.
if not fits(KEYS[1], 'zset') then
  return -2
end
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score then
  return 0
end
if KEYS[2] ~= KEYS[1] then
  if redis.pcall('GET', KEYS[2]) ~= ARGV[2] .. ' ' .. score then
    return 0
  end
  redis.call('DEL', KEYS[2])
end
redis.call('ZREM', KEYS[1], ARGV[1])
return 1
