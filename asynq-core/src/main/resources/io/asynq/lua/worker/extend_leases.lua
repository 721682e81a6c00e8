-- Extends leases to their full length. A missing lease is not created, and one that belongs to another attempt is left
-- alone.
-- KEYS lease
-- ARGV[1] present time; [2] how long leases last, ms; [3] prefix of task hashes; [4…] two for each lease, at most
-- 1,000: task id; fence of the attempt
-- Returns {how long they last from now on, ms; 1 extended, 0 no such lease, -1 another attempt's, -3 neither lease nor
-- task, …} in the order of the ids.
local ends, left = lease_end(ARGV[1], ARGV[2])
local ids, codes, extended, newest = {}, {left}, {}, {}
for i = 4, #ARGV, 2 do
  ids[#ids + 1] = ARGV[i]
end
local scores = must('ZMSCORE', KEYS[1], unpack(ids))

local function extend(id, fence, score)
  local task = ARGV[3] .. id
  if not score then return redis.call('EXISTS', task) == 1 and 0 or -3 end
  local held, found, marked = holds(task, fence, score)
  if not held then return -1 end
  extended[#extended + 1] = ends
  extended[#extended + 1] = id
  newest[id] = ends
  if found == HASH then
    redis.call('HSET', task, 'x-attempt', fence .. '@' .. ends .. (marked and '!' or ''))
  end
  return 1
end

for n, id in ipairs(ids) do
  codes[n + 1] = extend(id, ARGV[2 * n + 3], newest[id] or scores[n])
end
if #extended > 0 then
  redis.call('ZADD', KEYS[1], 'XX', unpack(extended))
end
return codes
