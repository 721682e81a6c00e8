-- Looks which queues have something to do. Most have not, and every server looks, so that must be cheap.
-- KEYS of each queue: sorted sets by due time, then keys that need attention as long as they exist
-- ARGV[1] present time; [2] how many queues; [3] how many KEYS each has; [4] how many of them are sorted sets
-- Returns {present time, ns; for each queue the lowest score, "" if there is none, "-inf" if one of the other keys
-- exists or a sorted set has another type, so that whoever works on it can name it, …}.
local _, now_ns = present(ARGV[1])
local queues, each, sorted = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local function next_work(first)
  local lowest
  for k = first, first + sorted - 1 do
    local entry = ask('ZRANGE', KEYS[k], 0, 0, 'WITHSCORES')
    if not entry then
      return '-inf'
    elseif entry[2] and (not lowest or tonumber(entry[2]) < tonumber(lowest)) then
      lowest = entry[2]
    end
  end
  if each > sorted and redis.call('EXISTS', unpack(KEYS, first + sorted, first + each - 1)) > 0 then return '-inf' end
  return lowest or ''
end

local answer = {now_ns}
for i = 1, queues do
  answer[i + 1] = next_work((i - 1) * each + 1)
end
return answer
