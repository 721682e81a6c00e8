-- Deletes more tasks of a staged set whose task has been stored.
-- KEYS staged set, aggregated
-- ARGV[1] prefix of task hashes; [2…] two for each, at most 500: id; lock or ""
-- Returns how many are left, 0 also when the set is not listed as aggregated.
if not redis.call('ZSCORE', KEYS[2], KEYS[1]) then return 0 end
if kind(KEYS[1]) == 'zset' then
  drop_members(KEYS[1], ARGV[1], {unpack(ARGV, 2)})
  local left = redis.call('ZCARD', KEYS[1])
  if left > 0 then return left end
end
redis.call('ZREM', KEYS[2], KEYS[1])
return 0
