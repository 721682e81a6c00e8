-- Makes tasks pending by hand, each by itself, at the back of their queue. What was noted of
-- crashes is forgotten: they are to be tried anew.
--
-- KEYS[1] pending   KEYS[2] scheduled  KEYS[3] retry
-- KEYS[4] archived  KEYS[5] completed  KEYS[6] groups
-- ARGV[1] prefix of task hashes
-- ARGV[2] prefix of groups
-- ARGV[3] present time, ns, "" for that of Redis
-- ARGV[4…] task ids
--
-- Returns two for each task: 1 pending, 0 no such task, -1 it is active or pending, -2 a key has
-- the wrong type, -3 it does not stand where its state says; the state it had or "".
local _, now_ns = present(ARGV[3])
return move_each(4, {active = true, pending = true}, fits(KEYS[1], 'list'), function(id)
  redis.call('LPUSH', KEYS[1], id)
  redis.call('HSET', ARGV[1] .. id, 'state', 'pending', 'pending_since', now_ns)
  forget_all(ARGV[1] .. id)
end)
