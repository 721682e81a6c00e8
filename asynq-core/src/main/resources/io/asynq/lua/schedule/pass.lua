-- Records a fire without a task as the last one of its entry, unless a later one is known.
-- KEYS last fire
-- ARGV the fire's second; life of the last fire, s
-- Returns 1 recorded, 0 a later one is known.
if (tonumber(must('GET', KEYS[1]) or '') or -math.huge) >= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1
