-- Stores tasks of an outbox in one queue, each by itself, and leaves a mark of each that got an answer, in the same
-- step: a task that is sent again is not stored again, however soon it was done and its id free.
-- KEYS pending; marks, a sorted set by time
-- ARGV[1] prefix of the queue's keys; [2] present time; [3] until when the caller is known to be the only one that has
-- these tasks, s with a fraction; [4] life of a mark, s; [5…] nine for each task: mark; state; id; message; when, s, or
-- ""; group or ""; lock or ""; its life, s, or ""; "1" if it may take the place of an archived task with its id, or ""
-- Returns one code per task: 2 it has a mark, else as lib/store; nothing if it is too late for all of them.
local call, marks = redis.call, KEYS[2]
local now, now_ns, exact = present(ARGV[2])
local answer = {}
if exact > tonumber(ARGV[3]) then return answer end
local second = string.format('%.0f', now)
must('ZCARD', marks)
for i = 5, #ARGV, 9 do
  local mark, state, id, message, at, group, lock, ttl, replaces = unpack(ARGV, i, i + 8)
  local code = 2
  if not call('ZSCORE', marks, mark) then
    code = store_or_replace(state, id, message, at, group, lock, ttl, now, now_ns, replaces)
    if code >= -1 then
      call('ZADD', marks, second, mark)
    end
  end
  answer[#answer + 1] = code
end
call('EXPIRE', marks, ARGV[4])
return answer
