-- Moves a slice of a container's tasks to the archive, and takes from the archive what is too old
-- or too much.
--
-- KEYS[1] source    asynq:{queue}:pending, scheduled, retry, or g:<group>
-- KEYS[2] archived  asynq:{queue}:archived
-- ARGV[1] prefix of the queue's keys
-- ARGV[2] how many ids at most, up to 1,000
-- ARGV[3] state of the tasks in the source
-- ARGV[4] group, "" for none
-- ARGV[5] present time, ns, "" for that of Redis
-- ARGV[6] how long the archive keeps a task, s
-- ARGV[7] how many the archive keeps
--
-- Returns {ids that were there before, ids that have left, tasks that are archived now}; {-2}, and
-- nothing is written, when a key has the wrong type.
if not fits(KEYS[2], 'zset') then
  return {-2}
end
local new, moved = {}, 0
local now = present(ARGV[5])
local answer = take(KEYS[1], tonumber(ARGV[2]), ARGV[1], ARGV[3], ARGV[4], function(id)
  redis.call('ZADD', KEYS[2], now, id)
  redis.call('HSET', ARGV[1] .. 't:' .. id, 'state', 'archived')
  redis.call('HDEL', ARGV[1] .. 't:' .. id, 'pending_since')
  new[id] = true
  moved = moved + 1
end)
trim(KEYS[2], ARGV[1] .. 't:', new, moved, now - ARGV[6], ARGV[7])
return answer
