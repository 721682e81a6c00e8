-- Reads some tasks of a staged set, in the order of its seconds.
-- KEYS staged set
-- ARGV[1] prefix of task hashes; [2] how many to skip; [3] how many at most; [4] size of messages after which to stop,
-- bytes
-- Returns {how many were looked at, five for each: id; message or ""; "", or what is wrong: missing or wrong_type; the
-- second in which it joined the group; x-arrived, see lib/arrivals, or "", …}; nothing when there is no such set.
if kind(KEYS[1]) ~= 'zset' then return {0} end
local answer, bytes, count = {0}, 0, 0
local scored = redis.call('ZRANGE', KEYS[1], ARGV[2], ARGV[2] + ARGV[3] - 1, 'WITHSCORES')
for i = 1, #scored, 2 do
  local id = scored[i]
  local task, wrong = redis.pcall('HMGET', ARGV[1] .. id, 'msg', 'x-arrived'), ''
  local message = task[1]
  if task.err then
    message, wrong = '', 'wrong_type'
  elseif not message then
    message, wrong = '', redis.call('EXISTS', ARGV[1] .. id) == 0 and 'missing' or ''
  end
  bytes = bytes + #message
  if count > 0 and bytes > tonumber(ARGV[4]) then break end
  count = count + 1
  answer[#answer + 1], answer[#answer + 2], answer[#answer + 3], answer[#answer + 4] = id, message, wrong, scored[i + 1]
  answer[#answer + 1] = task[2] or ''
end
answer[1] = count
return answer
