-- Deletes a group, or a staged set, of a queue that is being deleted: its tasks, if they are few,
-- else it is put out of everybody's reach first.
--
-- KEYS[1] group             asynq:{queue}:g:<group>, or g:<group>:<set>
-- KEYS[2] groups            asynq:{queue}:groups
-- KEYS[3] aggregation sets  asynq:{queue}:aggregation_sets
-- KEYS[4] container         what the group is called from now on
-- KEYS[5] deleted           asynqj:{queue}:deleted, names of containers out of reach
-- ARGV[1] group
-- ARGV[2] prefix of task hashes
-- ARGV[3] how many tasks are few, up to 1,000
--
-- Returns 1 put out of reach, 0 it is gone, or there is none.
if kind(KEYS[1]) ~= 'zset' or not fits(KEYS[5], 'set') then
  return 0
end
redis.pcall('SREM', KEYS[2], ARGV[1])
redis.pcall('ZREM', KEYS[3], KEYS[1])
if redis.call('ZCARD', KEYS[1]) <= tonumber(ARGV[3]) then
  delete_tasks(ARGV[2], take_ids(KEYS[1], tonumber(ARGV[3])))
  return 0
end
redis.call('SADD', KEYS[5], KEYS[4])
redis.call('RENAMENX', KEYS[1], KEYS[4])
return 1
