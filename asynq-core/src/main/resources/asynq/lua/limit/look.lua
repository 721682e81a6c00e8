-- Lists needs of waiting tasks of a queue, those first that were looked at longest ago, for one server in some time.
-- KEYS waiting, see promote; turn, whose turn it is to look
-- ARGV[1] present time; [2] how long a turn lasts, ms; [3] how many at most
-- Returns the needs; none if it is another server's turn.
local left = redis.call('PTTL', KEYS[2])
-- A turn that lasts longer than a turn was begun before Redis's clock was set back, which would keep everybody away
if redis.call('EXISTS', KEYS[1]) == 0 or left > 0 and left <= tonumber(ARGV[2]) then
  return {}
end
redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
local _, _, exact = present(ARGV[1])
local answer = {}
for _, needs in ipairs(must('ZRANGE', KEYS[1], '0', ARGV[3] - 1)) do
  if must('ZCARD', KEYS[1] .. ':' .. needs) == 0 then
    redis.call('ZREM', KEYS[1], needs)
  else
    redis.call('ZADD', KEYS[1], string.format('%.0f', exact * 1000), needs)
    answer[#answer + 1] = needs
  end
end
return answer
