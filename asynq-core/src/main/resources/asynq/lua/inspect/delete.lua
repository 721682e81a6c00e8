-- Deletes tasks by hand, each by itself, and releases their unique locks.
--
-- KEYS[1] pending   KEYS[2] scheduled  KEYS[3] retry
-- KEYS[4] archived  KEYS[5] completed  KEYS[6] groups
-- ARGV[1] prefix of task hashes
-- ARGV[2] prefix of groups
-- ARGV[3…] task ids
--
-- Returns two for each task: 1 deleted, 0 no such task, -1 it is active, -2 a key has the wrong
-- type, -3 it does not stand where its state says; the state it had or "".
return move_each(3, {active = true}, true, function(id)
  delete_task(ARGV[1], id)
end)
