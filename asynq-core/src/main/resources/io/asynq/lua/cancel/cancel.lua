-- Tells all servers that a task is to be cancelled. A script, because its key chooses which master of a cluster does
-- so.
-- KEYS any key of that master, which is not touched
-- ARGV[1] channel of cancellations; ARGV[2] task id
-- Returns how many hear it from this Redis.
return redis.call('PUBLISH', ARGV[1], ARGV[2])
