-- Notes a fire that has no task as the last one of its entry, unless a later one is known.
--
-- KEYS[1] last fire  asynqj:{queue}:fired:<entry>
-- ARGV[1] the fire's second
-- ARGV[2] life of the last fire, s
--
-- Returns 1 noted, 0 a later one is known, -2 the last fire is no string.
if not fits(KEYS[1], 'string') then
  return -2
end
if (tonumber(redis.call('GET', KEYS[1]) or '') or -math.huge) >= tonumber(ARGV[1]) then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1
