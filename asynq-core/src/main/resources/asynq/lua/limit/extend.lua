-- Extends tokens that are still held.
-- KEYS rules, see limits
-- ARGV[1] and ARGV[2] see limits; [3] how long a token lasts, ms
-- ARGV[4…] three for each task: its class; its id; fence of the attempt
-- Returns {how many tasks there are}.
local ends = string.format('%.0f', now + ARGV[3])
for i = 4, #ARGV, 3 do
  local owner = string.match(ARGV[i], '\n\n(.*)$') .. '\n' .. ARGV[i + 1] .. '\n' .. ARGV[i + 2]
  for text in string.gmatch(string.match(ARGV[i], '^(.-)\n\n'), '[^\n]+') do
    local limit, key = string.match(text, '^([^\t]*)\t?(.*)$')
    redis.call('ZADD', LIMITS .. 'held:' .. limit, 'XX', ends, key .. '\n' .. owner)
  end
end
return {(#ARGV - 3) / 3}
