-- Part of other scripts: runs what precedes it, the function one, for several queues, each by itself: an error ends
-- what is done for its queue only. Not on a cluster, where queues lie in different slots.
-- KEYS of one, for each queue
-- ARGV[1] how many KEYS each has; for each queue: how many ARGV it has, followed by these
-- Returns for each queue what one returns, or the text of its error. A replica, which takes no write for any queue,
-- refuses the call as a whole, so that its caller waits for a master.
local each, answers, at = tonumber(ARGV[1]), {}, 2
for q = 1, #KEYS / each do
  local many = tonumber(ARGV[at])
  local done, answer = pcall(one, {unpack(KEYS, (q - 1) * each + 1, q * each)}, {unpack(ARGV, at + 1, at + many)})
  if not done then
    answer = type(answer) == 'table' and answer.err or tostring(answer)
    if string.find(answer, '^READONLY ') or string.find(answer, '-READONLY ', 1, true) then
      return redis.error_reply('READONLY ' .. string.gsub(answer, '^.*READONLY ', ''))
    end
  end
  answers[q] = answer
  at = at + many + 1
end
return answers
