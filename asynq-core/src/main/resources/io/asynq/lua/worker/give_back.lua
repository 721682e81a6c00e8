-- Returns to pending what a dequeue took whose answer was lost, and marks the dequeue so that it takes nothing if it is
-- executed later: it may be in a buffer during a stall. Looks at a slice of the leases.
-- KEYS pending, active, lease, void
-- ARGV[1] prefix of task hashes; [2] fence of the dequeue; [3] present time; [4] cursor, "0" at first; [5] about how
-- many leases to look at; [6] how long the dequeue may be delayed, s; [7…] ids to keep: a repetition of this dequeue
-- was answered
-- Returns {next cursor, "0" at the end; how many were given back; how many were not, because the look limit was
-- reached: repeat the call}.
must('LLEN', KEYS[1])
must('LLEN', KEYS[2])
must('ZCARD', KEYS[3])
redis.call('SET', KEYS[4], '1', 'EX', ARGV[6])
local _, nanos = present(ARGV[3])
local known, given_back, left = {}, 0, 0
for i = 7, #ARGV do
  known[ARGV[i]] = true
end
local slice = redis.call('ZSCAN', KEYS[3], ARGV[4], 'COUNT', ARGV[5])
for i = 1, #slice[2], 2 do
  local id = slice[2][i]
  local task = ARGV[1] .. id
  if not known[id] and holds_hash(task, ARGV[2], slice[2][i + 1]) then
    if leave(KEYS[2], id) then
      redis.call('ZREM', KEYS[3], id)
      redis.call('RPUSH', KEYS[1], id)
      redis.call('HSET', task, 'state', 'pending', 'pending_since', nanos)
      forget_attempt(task)
      given_back = given_back + 1
    else
      left = left + 1
    end
  end
end
return {slice[1], given_back, left}
