-- Gives ids that are still active, and still have no lease, one.
--
-- KEYS[1] active  asynq:{queue}:active
-- KEYS[2] lease   asynq:{queue}:lease
-- ARGV[1] present time, ns, "" for that of Redis
-- ARGV[2] how long the lease lasts, ms, 0 or less for one that has ended
-- ARGV[3] prefix of task hashes
-- ARGV[4…] task ids
--
-- Returns how many got one, -2 when active or lease has the wrong type. Ids without a task may be
-- left for another call, when active is long.
if not fits(KEYS[1], 'list') or not fits(KEYS[2], 'zset') then
  return -2
end
local ends = lease_end(ARGV[1], ARGV[2])
local attached = 0
for i = 4, #ARGV do
  local id = ARGV[i]
  local active = redis.pcall('HGET', ARGV[3] .. id, 'state') == 'active' or stands_in(KEYS[1], id)
  if active and redis.call('ZADD', KEYS[2], 'NX', ends, id) == 1 then
    note_lease(ARGV[3] .. id, ends)
    attached = attached + 1
  end
end
return attached
