-- Moves active tasks whose type has no handler to retry, each by itself. Nothing is counted. A task waits for as long
-- as it has waited altogether, but at least 1 s. The digest of its message tells later whether it has failed since.
-- KEYS active, lease, retry, unhandled
-- ARGV[1] prefix of task hashes; [2] present time; [3…] six for each task: id; fence of the attempt; message; type;
-- longest wait, s; after how long it is archived instead, s
-- Returns one code per task, see outcomes; 3 it has waited too long, and nothing was changed.
local now = math.floor(present_seconds(ARGV[2]))
local waits, overdue = {}, {}

local function may_wait(task, fence, score, i)
  local held, found, marked = holds_to_wait(task, fence, score)
  local since = ask('ZSCORE', KEYS[4] .. ':' .. ARGV[i + 3], ARGV[i])
  if since == nil then return held, OTHER, marked end
  overdue[i] = held == true and since and now - since >= tonumber(ARGV[i + 5])
  return not overdue[i] and held, found, marked
end

local codes = end_each(3, 6, ask('ZCARD', KEYS[3]) and ask('ZCARD', KEYS[4]), NONE, function(id, task, i, marked)
  forget(task, ARGV[i + 1], marked)
  redis.call('HSET', task, 'msg', ARGV[i + 2], 'state', 'retry', 'x-unhandled', redis.sha1hex(ARGV[i + 2]))
  local list = KEYS[4] .. ':' .. ARGV[i + 3]
  redis.call('ZADD', list, 'NX', now, id)
  local waited = now - redis.call('ZSCORE', list, id)
  waits[#waits + 1] = now + math.max(1, math.min(waited, tonumber(ARGV[i + 4])))
  waits[#waits + 1] = id
  redis.call('ZADD', KEYS[4], 'NX', 0, ARGV[i + 3])
end, may_wait)
if #waits > 0 then
  redis.call('ZADD', KEYS[3], unpack(waits))
end
for n = 1, #codes do
  codes[n] = overdue[3 + (n - 1) * 6] and 3 or codes[n]
end
return codes
