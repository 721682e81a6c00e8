-- Reads some tasks of a staged set, in the order in which they joined the group.
-- KEYS staged set
-- ARGV[1] prefix of task hashes
-- ARGV[2] how many to skip
-- ARGV[3] how many at most
-- ARGV[4] size of messages after which to stop, bytes
-- Returns {how many were looked at, three for each: id; message or ""; "", or what is wrong: missing or wrong_type,
-- …}; nothing when there is no such set.
if kind(KEYS[1]) ~= 'zset' then
  return {0}
end
local answer, bytes, count = {0}, 0, 0
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], ARGV[2], ARGV[2] + ARGV[3] - 1)) do
  local message = redis.pcall('HGET', ARGV[1] .. id, 'msg')
  local wrong = ''
  if type(message) == 'table' then
    message, wrong = '', 'wrong_type'
  elseif not message then
    message, wrong = '', redis.call('EXISTS', ARGV[1] .. id) == 0 and 'missing' or ''
  end
  bytes = bytes + #message
  if count > 0 and bytes > tonumber(ARGV[4]) then
    break
  end
  count = count + 1
  answer[#answer + 1] = id
  answer[#answer + 1] = message
  answer[#answer + 1] = wrong
end
answer[1] = count
return answer
