-- Reads some tasks.
--
-- KEYS[1] pending    asynq:{queue}:pending, for the slot
-- ARGV[…] keys of task hashes, of the same slot
--
-- Returns {message, state, …}, "" for what is not there.
local answer = {}
for i = 1, #ARGV do
  local task = redis.call('HMGET', ARGV[i], 'msg', 'state')
  answer[#answer + 1] = task[1] or ''
  answer[#answer + 1] = task[2] or ''
end
return answer
