-- Deletes a slice of a container's tasks and releases their unique locks.
--
-- KEYS[1] source  asynq:{queue}:pending, scheduled, retry, archived, completed, or g:<group>
-- ARGV[1] prefix of the queue's keys
-- ARGV[2] how many ids at most, up to 1,000
-- ARGV[3] state of the tasks in the source
-- ARGV[4] group, "" for none
--
-- Returns {ids that were there before, ids that have left, tasks that are gone}; {-2}, and nothing
-- is written, when a key has the wrong type.
return take(KEYS[1], tonumber(ARGV[2]), ARGV[1], ARGV[3], ARGV[4], function(id)
  delete_task(ARGV[1] .. 't:', id)
end)
