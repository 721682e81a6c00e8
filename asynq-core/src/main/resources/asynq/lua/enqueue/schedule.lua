-- Stores one task for later. Its group, if any, goes into a field of ours: what Go forwards
-- runs by itself, while a group that Go has filled would not be listed.
--
-- KEYS[1] task hash  asynq:{queue}:t:<id>
-- KEYS[2] scheduled  asynq:{queue}:scheduled
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
  redis.call('HSET', KEYS[1], 'x-group', ARGV[4])
end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 1
