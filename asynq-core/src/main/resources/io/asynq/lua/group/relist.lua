-- Lists recorded groups that may have got tasks without being listed, a slice at a time. An old record is removed.
-- KEYS groups; noted groups, sorted by when staged tasks go back
-- ARGV[1] cursor, "0" at first; [2] prefix of groups; [3] about how many notes to look at; [4] present time; [5] age at
-- which a record is removed, s
-- Returns {next cursor, "0" at the end; groups listed}.
must('SCARD', KEYS[1])
if not fits(KEYS[2], 'zset') then return {'0', 0} end
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
