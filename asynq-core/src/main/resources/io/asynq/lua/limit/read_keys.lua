-- Reads keys of a limit, those first that have most tokens in use.
-- KEYS keys:<limit>, see limits
-- ARGV[1] how many at most; [2…] further keys
-- Returns two for each: key; how many tokens it has in use.
local answer, seen = {}, {}
local found = redis.call('ZRANGE', KEYS[1], string.format('%.0f', -ARGV[1]), '-1', 'WITHSCORES')
for i = #found - 1, 1, -2 do
  answer[#answer + 1], answer[#answer + 2] = found[i], tonumber(found[i + 1])
  seen[found[i]] = true
end
for i = 2, #ARGV do
  if not seen[ARGV[i]] then
    answer[#answer + 1], answer[#answer + 2] = ARGV[i], tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i]) or 0)
  end
end
return answer
