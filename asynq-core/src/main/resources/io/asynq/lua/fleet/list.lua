-- Lists servers, schedulers or queues.
-- KEYS list: a sorted set by expiry, or a set
-- ARGV[1] expiry, s, "" for a set; [2…] members
-- Returns how many are new.
if ARGV[1] == '' then
  must('SCARD', KEYS[1])
  return redis.call('SADD', KEYS[1], unpack(ARGV, 2))
end
must('ZCARD', KEYS[1])
return redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
