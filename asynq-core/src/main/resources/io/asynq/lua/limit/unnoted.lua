-- Lists needs of waiting tasks of a queue, those first that were looked at longest ago, for one server in some time.
-- KEYS waiting, see wake; turn, when the present turn ends, ms
-- ARGV[1] present time; [2] how long a turn lasts, ms; [3] how many at most
-- Returns the needs; none if it is another server's turn.
local _, _, exact = present(ARGV[1])
local now = math.floor(exact * 1000)
local turn = redis.pcall('GET', KEYS[2])
local ends = type(turn) == 'string' and tonumber(turn)
-- If more is left of a turn than a turn lasts, Redis's clock was set back, and it would keep everybody away
if ends and now < ends and ends - now <= tonumber(ARGV[2]) or must('ZCARD', KEYS[1]) == 0 then return {} end
-- First a command that Redis executes even when it is out of memory; then it executes the rest too
redis.call('DEL', KEYS[2])
redis.call('SET', KEYS[2], string.format('%.0f', now + ARGV[2]), 'PX', ARGV[2])
local answer = {}
for _, needs in ipairs(must('ZRANGE', KEYS[1], '0', ARGV[3] - 1)) do
  if must('ZCARD', KEYS[1] .. ':' .. needs) == 0 then
    redis.call('ZREM', KEYS[1], needs)
  else
    redis.call('ZADD', KEYS[1], string.format('%.0f', now), needs)
    answer[#answer + 1] = needs
  end
end
return answer
