-- Takes a token of a semaphore, if one is left. A holder keeps its token until the new end. Expired tokens are given
-- back one second late, as in Go.
-- KEYS tokens; holder, the attempt that holds the token; the same key as tokens if no other is known to lie in its slot
-- ARGV[1] present time; [2] how many tokens there are; [3] how long the token lasts, ms; [4] holder, a task's id; [5]
-- fence of the attempt
-- Returns 1 taken, 0 none left.
if KEYS[2] ~= KEYS[1] then
  must('GET', KEYS[2])
end
local now, _, exact = present(ARGV[1])
local ended = must('ZRANGEBYSCORE', KEYS[1], '-inf', now - 1, 'LIMIT', 0, 1000)
if #ended > 0 then
  redis.call('ZREM', KEYS[1], unpack(ended))
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) and not redis.call('ZSCORE', KEYS[1], ARGV[4]) then return 0 end
local ends = math.ceil(exact + ARGV[3] / 1000)
redis.call('ZADD', KEYS[1], ends, ARGV[4])
if KEYS[2] ~= KEYS[1] and ends > now then
  redis.call('SET', KEYS[2], string.format('%s %.0f', ARGV[5], ends), 'EX', ends - now + 1)
end
return 1
