-- Tells the time to one who is about to send tasks of an outbox, and has marks end whose tasks nobody will send any
-- more: soon, because one who has lost them without noticing may still try to.
-- KEYS marks, a sorted set by time
-- ARGV[1] present time; [2] life of a mark, s; [3] how long a mark stays that is to end, s; [4…] marks that are to end
-- Returns the present time, µs, as text; how many marks are to end within that time.
local marks = KEYS[1]
local now, now_ns = present(ARGV[1])
local ended = must('ZCOUNT', marks, '-inf', string.format('%.0f', now - ARGV[2]))
if ended > 0 then
  redis.call('ZREMRANGEBYRANK', marks, 0, math.min(ended, 4000) - 1)
end
local last = string.format('%.0f', now - ARGV[2] + ARGV[3])
if #ARGV > 3 then
  -- First a command that Redis executes even when it is out of memory
  redis.call('ZREM', marks, '')
  for i = 4, #ARGV do
    redis.call('ZADD', marks, 'XX', last, ARGV[i])
  end
end
return {string.sub(now_ns, 1, -4), redis.call('ZCOUNT', marks, '-inf', last)}
