-- Puts off tasks of a type that wait for a handler, a slice at a time: else forwarders would bring them back for
-- nothing. All of them some time before they are due, until then only those that came later. What has waited too long
-- becomes due now. Tasks that wait no longer are forgotten.
-- KEYS retry, unhandled, the tasks of the type by since when they wait
-- ARGV[1] present time; [2] prefix of task hashes; [3] type; [4] until when they are put off, as the caller has read,
-- s; [5] for how long they are put off, s; [6] after how long they become due, s; [7] how many to pass over; [8] how
-- many at most, up to 2,000
-- Returns how many were looked at; none if another server is at it.
local now = present(ARGV[1])
local known, length, oldest = tonumber(ARGV[4]), tonumber(ARGV[5]), now - ARGV[6]
local later = string.format('%.0f', now + length)
local all = known - now <= length / 4
must('ZCARD', KEYS[1])
must('ZCARD', KEYS[3])
local freed

-- First a command that Redis executes even when it is out of memory
local function add(...)
  freed = freed or redis.call('ZREM', KEYS[2], '')
  redis.call('ZADD', ...)
end

if ARGV[7] == '0' then
  if all and tonumber(must('ZSCORE', KEYS[2], ARGV[3]) or -1) ~= known then
    return 0
  elseif all then
    add(KEYS[2], later, ARGV[3])
  end
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', oldest, 'LIMIT', 0, 100)) do
    add(KEYS[1], 'XX', now, id)
  end
end
local from = '(' .. string.format('%.0f', all and oldest or math.max(oldest, known - length - 1))
local ids = redis.call('ZRANGEBYSCORE', KEYS[3], from, '+inf', 'LIMIT', ARGV[7], ARGV[8])
if #ids == 0 then return 0 end
local scores, put, gone = redis.call('ZMSCORE', KEYS[1], unpack(ids)), {}, {}
for i, id in ipairs(ids) do
  if scores[i] and (all or tonumber(scores[i]) < known) then
    put[#put + 1], put[#put + 2] = later, id
  elseif not scores[i] then
    local state = redis.pcall('HGET', ARGV[2] .. id, 'state')
    if state ~= 'pending' and state ~= 'active' then
      gone[#gone + 1] = id
    end
  end
end
if #put > 0 then
  add(KEYS[1], 'XX', unpack(put))
end
if #gone > 0 then
  redis.call('ZREM', KEYS[3], unpack(gone))
end
return #ids
