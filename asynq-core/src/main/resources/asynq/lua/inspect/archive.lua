-- Moves tasks to the archive by hand, each by itself, and takes from the archive what is too old
-- or too much. Nothing is counted, and messages stay as they are.
--
-- KEYS[1] pending   KEYS[2] scheduled  KEYS[3] retry
-- KEYS[4] archived  KEYS[5] completed  KEYS[6] groups
-- ARGV[1] prefix of task hashes
-- ARGV[2] prefix of groups
-- ARGV[3] present time, ns, "" for that of Redis
-- ARGV[4] how long the archive keeps a task, s
-- ARGV[5] how many the archive keeps
-- ARGV[6…] task ids
--
-- Returns two for each task: 1 archived, 0 no such task, -1 it is active or archived, -2 a key
-- has the wrong type, -3 it does not stand where its state says; the state it had or "".
-- Tasks at the end may be left out, see move_each.
local new, moved = {}, 0
local now = present(ARGV[3])
local answer = move_each(6, {active = true, archived = true}, fits(KEYS[4], 'zset'), function(id)
  redis.call('ZADD', KEYS[4], now, id)
  redis.call('HSET', ARGV[1] .. id, 'state', 'archived')
  redis.call('HDEL', ARGV[1] .. id, 'pending_since')
  new[id] = true
  moved = moved + 1
end)
trim(KEYS[4], ARGV[1], new, moved, now - ARGV[4], ARGV[5])
return answer
