-- Stores one task for later. Its group, if any, goes into the hash, because that is where
-- whoever forwards it looks.
--
-- KEYS[1] task hash  asynq:{queue}:t:<id>
-- KEYS[2] scheduled  asynq:{queue}:scheduled
-- KEYS[3] grouped later  asynqj:{queue}:groups
-- ARGV[1] task id
-- ARGV[2] message
-- ARGV[3] when, s
-- ARGV[4] group, "" for none
--
-- Returns 1 stored, 0 the id is taken, -2 scheduled is no sorted set; nothing is written but
-- for 1.
if not fits(KEYS[2], 'zset') then
  return -2
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'msg', ARGV[2], 'state', 'scheduled')
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[1], 'group', ARGV[4])
  redis.pcall('ZADD', KEYS[3], 'GT', ARGV[3], ARGV[4])
end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 1
