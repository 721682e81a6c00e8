-- Deletes a slice of the tasks of a container that nobody uses any more, or of a group.
--
-- KEYS[1] container         a container put out of reach, a group, or a staged set
-- KEYS[2] groups            asynq:{queue}:groups
-- KEYS[3] aggregation sets  asynq:{queue}:aggregation_sets
-- ARGV[1] prefix of task hashes
-- ARGV[2] how many ids at most, up to 1,000
-- ARGV[3] group that the container is, "" for none
--
-- Returns how many ids have left; 0 when the container is gone.
local ids = take_ids(KEYS[1], tonumber(ARGV[2]))
if not ids then
  redis.call('UNLINK', KEYS[1])
  ids = {}
end
for _, id in ipairs(ids) do
  if kind(ARGV[1] .. id) == 'hash' and redis.call('HGET', ARGV[1] .. id, 'state') ~= 'active' then
    delete_task(ARGV[1], id)
  end
end
if redis.call('EXISTS', KEYS[1]) == 0 then
  if ARGV[3] ~= '' then
    redis.pcall('SREM', KEYS[2], ARGV[3])
  end
  redis.pcall('ZREM', KEYS[3], KEYS[1])
end
return #ids
