-- Writes or renews a note about a server.
-- KEYS note
-- ARGV its life, s; text
-- Returns 1.
redis.call('SETEX', KEYS[1], ARGV[1], ARGV[2])
return 1
