-- Deletes a group or a staged set of a queue that is being deleted. If it has many tasks, it is put out of reach first.
-- KEYS group or staged set; groups; aggregation sets; the new name of the group; deleted, names of containers out of
-- reach
-- ARGV group; prefix of task hashes; how many tasks are few, up to 1,000
-- Returns 1 put out of reach, 0 it is gone, or there is none.
if kind(KEYS[1]) ~= 'zset' or not fits(KEYS[5], 'set') then return 0 end
redis.pcall('SREM', KEYS[2], ARGV[1])
redis.pcall('ZREM', KEYS[3], KEYS[1])
if redis.call('ZCARD', KEYS[1]) <= tonumber(ARGV[3]) then
  delete_tasks(ARGV[2], take_ids(KEYS[1], tonumber(ARGV[3])))
  return 0
end
redis.call('SADD', KEYS[5], KEYS[4])
redis.call('RENAMENX', KEYS[1], KEYS[4])
return 1
