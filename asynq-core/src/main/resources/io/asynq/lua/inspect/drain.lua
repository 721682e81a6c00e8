-- Deletes a slice of the tasks of a container that was put out of reach.
-- KEYS container; deleted, names of containers out of reach
-- ARGV prefix of task hashes; how many ids at most, up to 1,000
-- Returns how many ids have left; fewer than asked for when the container is gone.
local ids = take_ids(KEYS[1], tonumber(ARGV[2]))
if not ids then
  redis.call('UNLINK', KEYS[1])
  ids = {}
end
delete_tasks(ARGV[1], ids)
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.pcall('SREM', KEYS[2], KEYS[1])
end
return #ids
