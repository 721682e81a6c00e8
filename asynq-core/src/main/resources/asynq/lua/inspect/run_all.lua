-- Makes a slice of a container's tasks pending, at the back of their queue.
--
-- KEYS[1] source   asynq:{queue}:scheduled, retry, archived, or g:<group>
-- KEYS[2] pending  asynq:{queue}:pending
-- ARGV[1] prefix of the queue's keys
-- ARGV[2] how many ids at most, up to 1,000
-- ARGV[3] state of the tasks in the source
-- ARGV[4] group, "" for none
-- ARGV[5] present time, ns, "" for that of Redis
--
-- Returns {ids that were there before, ids that have left, tasks that are pending now}; {-2}, and
-- nothing is written, when a key has the wrong type.
if not fits(KEYS[2], 'list') then
  return {-2}
end
local ready = {}
local _, now_ns = present(ARGV[5])
local answer = take(KEYS[1], tonumber(ARGV[2]), ARGV[1], ARGV[3], ARGV[4], function(id)
  local task = ARGV[1] .. 't:' .. id
  redis.call('HSET', task, 'state', 'pending', 'pending_since', now_ns)
  forget_all(task)
  ready[#ready + 1] = id
end)
if #ready > 0 then
  redis.call('LPUSH', KEYS[2], unpack(ready))
end
return answer
