-- Extends tokens that are still held.
-- KEYS rules, see limits
-- ARGV[1] to ARGV[3] see limits; [4…] three for each task: its class; its id; fence of the attempt
-- Returns {how many tasks there are}.
local ends = text(now + TOKEN)
for i = 4, #ARGV, 3 do
  local owner = queue_of(ARGV[i]) .. '\n' .. ARGV[i + 1] .. '\n' .. ARGV[i + 2]
  for place in string.gmatch(string.match(ARGV[i], '^(.-)\n\n'), '[^\n]+') do
    local limit, key = string.match(place, '^([^\t]*)\t?(.*)$')
    redis.call('ZADD', LIMITS .. 'held:' .. limit, 'XX', ends, key .. '\n' .. owner)
  end
end
return {(#ARGV - 3) / 3}
