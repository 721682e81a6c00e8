-- Gives a lease to ids that are still active and still have none.
-- KEYS active, lease
-- ARGV[1] present time; [2] how long the lease lasts, ms, 0 or less for one that has ended; [3] prefix of task hashes;
-- [4…] task ids
-- Returns how many got one. Ids without a task may be left to another call when active is long.
must('LLEN', KEYS[1])
must('ZCARD', KEYS[2])
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
