-- Notes that an aggregator has ended with a staged set.
--
-- KEYS[1] aggregators  asynqj:{queue}:aggregators, "time|server" by staged set
-- KEYS[2] crashes      asynqj:{queue}:aggregator-crashes, by group
-- ARGV[1] staged set
-- ARGV[2] group
-- ARGV[3] how: "own" by itself, so that no crash is remembered, one that nobody has counted yet neither;
--   "cut" it was given up; "crash" it has stopped its own server
-- ARGV[4] present time, ns, "" for that of Redis
-- ARGV[5] prefix of groups
--
-- Returns 1, -2 when a key has the wrong type.
if not fits(KEYS[1], 'hash') or not fits(KEYS[2], 'hash') then
  return -2
end
local ends, server = note_of(KEYS[1], ARGV[1])
local now = present(ARGV[4])
redis.call('HDEL', KEYS[1], ARGV[1])
if ARGV[3] == 'own' then
  redis.call('HDEL', KEYS[2], ARGV[2])
  for _, set in ipairs(redis.call('HKEYS', KEYS[1])) do
    if group_of(ARGV[5], set) == ARGV[2] and is_over(KEYS[1], set, now) then
      redis.call('HDEL', KEYS[1], set)
    end
  end
elseif ARGV[3] == 'crash' and ends then
  count_crash(KEYS[2], ARGV[2], server, now)
end
return 1
