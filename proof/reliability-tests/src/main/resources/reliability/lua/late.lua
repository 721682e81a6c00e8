-- Counts what lies too far ahead, by the clock of the node that has the key.
--
-- KEYS[1] a sorted set of moments, s
-- ARGV[1] how far ahead a moment may lie, s
--
-- Returns {how many lie further}.
return {redis.call('ZCOUNT', KEYS[1], redis.call('TIME')[1] + ARGV[1], '+inf')}
