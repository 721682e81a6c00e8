-- Repairs a group, if it is still wrong.
-- KEYS groups; group; aggregation sets; staged set, absent but for a forgotten one
-- ARGV[1] prefix of the queue's keys; [2] prefix of our own keys of the queue; [3] group; [4] g:<group>:<set>, "" if
-- there is no forgotten one: on a cluster KEYS has one more than a script names
-- Returns 1 repaired, 0 nothing to repair, or a key has the wrong type.
if not fits(KEYS[1], 'set') or not fits(KEYS[2], 'zset') or not fits(KEYS[3], 'zset') then return 0 end
local mended = 0
if ARGV[4] ~= '' then
  if kind(KEYS[4]) ~= 'zset' or scored(LISTINGS[1], KEYS[4]) or scored(LISTINGS[2], KEYS[4])
    or redis.call('SISMEMBER', KEYS[1], string.sub(ARGV[4], 3)) == 1 or group_of_first(KEYS[4]) ~= ARGV[3] then
    return 0
  end
  merge(KEYS[4], KEYS[2])
  redis.call('ZREM', KEYS[3], KEYS[4])
  mended = 1
end
local exists = redis.call('EXISTS', KEYS[2])
local changed = redis.call(exists == 1 and 'SADD' or 'SREM', KEYS[1], ARGV[3])
return math.max(mended, changed)
