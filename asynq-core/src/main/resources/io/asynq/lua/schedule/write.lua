-- Writes or renews the list of a scheduler's entries.
-- KEYS entries
-- ARGV[1] life, s; [2…] entries
-- Returns the number of entries.
redis.call('DEL', KEYS[1])
for first = 2, #ARGV, 1000 do
  redis.call('LPUSH', KEYS[1], unpack(ARGV, first, math.min(first + 999, #ARGV)))
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return #ARGV - 1
