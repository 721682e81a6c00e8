-- Gives back what a dequeue has taken whose answer was lost, and has it take nothing should it only
-- now be on its way: Redis may find it in a buffer after a stall. Looks at a slice of the leases.
--
-- KEYS[1] pending  asynq:{queue}:pending
-- KEYS[2] active   asynq:{queue}:active
-- KEYS[3] lease    asynq:{queue}:lease
-- KEYS[4] void     asynqj:{queue}:void:<fence>
-- ARGV[1] prefix of task hashes
-- ARGV[2] fence of the dequeue
-- ARGV[3] present time, ns, "" for that of Redis
-- ARGV[4] cursor, "0" at first
-- ARGV[5] about how many leases to look at
-- ARGV[6] how long the dequeue may be on its way, s
-- ARGV[7…] ids that somebody works on: another dequeue with the same fence was answered
--
-- Returns {next cursor, "0" at the end; how many were given back; how many were not, because enough
-- was looked at: the same call again goes on}, {"0", 0, 0} when a key has the wrong type.
if not fits(KEYS[1], 'list') or not fits(KEYS[2], 'list') or not fits(KEYS[3], 'zset') then
  return {'0', 0, 0}
end
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
