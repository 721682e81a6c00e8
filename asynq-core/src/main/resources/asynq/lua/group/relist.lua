-- Lists groups into which tasks may have come without anybody listing them: a slice of those that
-- are noted. A note that is old enough goes.
--
-- KEYS[1] groups        asynq:{queue}:groups
-- KEYS[2] noted groups  asynqj:{queue}:groups, sorted by when staged tasks go back
-- ARGV[1] cursor, "0" at first
-- ARGV[2] prefix of groups
-- ARGV[3] about how many notes to look at
-- ARGV[4] present time, ns, "" for that of Redis
-- ARGV[5] what was to go back so long ago has, s
--
-- Returns {next cursor, "0" at the end; groups listed}, {"-2", 0} when groups is no set.
if not fits(KEYS[1], 'set') then
  return {'-2', 0}
elseif not fits(KEYS[2], 'zset') then
  return {'0', 0}
end
local slice = redis.call('ZSCAN', KEYS[2], ARGV[1], 'COUNT', ARGV[3])
local noted, listed = slice[2], 0
local forwarded = present(ARGV[4]) - tonumber(ARGV[5])
for i = 1, #noted, 2 do
  listed = listed + list(KEYS[1], ARGV[2], noted[i])
  if tonumber(noted[i + 1]) <= forwarded then
    redis.call('ZREM', KEYS[2], noted[i])
  end
end
return {slice[1], listed}
