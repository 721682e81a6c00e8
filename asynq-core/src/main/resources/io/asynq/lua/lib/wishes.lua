-- Part of other scripts: what becomes of cancelled tasks that are not active. The scripts have
-- KEYS[1] cancelled: the ids of tasks with x-cancel   KEYS[2] archived
-- ARGV[1] prefix of the queue's keys; [2] present time; [3] how long the archive keeps a task, s; [4] how many it keeps
-- Nothing is counted and messages stay unchanged. Needs leaving, archives, kinds, must and time.
local HASHES, archived, now = ARGV[1] .. 't:', {}, present(ARGV[2])
must('SCARD', KEYS[1])
must('ZCARD', KEYS[2])

-- Archives or deletes a task as the wish says; false if it is not in the container of its state.
local function grant(id, wish, state, group)
  if not leave_container(id, state, group) then
    return false
  elseif wish == 'delete' then
    delete_task(HASHES, id)
  else
    redis.call('HDEL', HASHES .. id, 'pending_since', 'x-cancel')
    redis.call('HSET', HASHES .. id, 'state', 'archived')
    archived[#archived + 1] = id
  end
  return true
end

-- Call this after the last one.
local function archive_granted()
  into_archive(KEYS[2], HASHES, archived, now, ARGV[3], ARGV[4])
end
