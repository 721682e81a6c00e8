-- Counts active tasks whose lease has ended a while ago: nobody has recovered them.
-- KEYS lease of each queue
-- ARGV[1] present time; [2] how long ago the lease must have ended, s
-- Returns two for each queue: how many; when the first of all leases ends, s, "" for none.
local before = string.format('%.0f', present(ARGV[1]) - ARGV[2])
local answer = {}
for _, lease in ipairs(KEYS) do
  local first = ask('ZRANGE', lease, '0', '0', 'WITHSCORES')
  answer[#answer + 1], answer[#answer + 2] = ask('ZCOUNT', lease, '-inf', before) or 0, first and first[2] or ''
end
return answer
