-- Gives back a bounded number of staged sets whose aggregation did not end in time.
-- KEYS groups, aggregation sets
-- ARGV present time; prefix of groups; how many sets at most
-- Returns {sets looked at, sets given back}. A set that was looked at is no longer listed.
must('SCARD', KEYS[1])
local now, returned = present(ARGV[1]), 0
local expired = must('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ARGV[3])
for _, key in ipairs(expired) do
  local group = group_of(ARGV[2], key)
  if group and fits(ARGV[2] .. group, 'zset') then
    if kind(key) == 'zset' then
      merge(key, ARGV[2] .. group)
      returned = returned + 1
    end
    list(KEYS[1], ARGV[2], group)
  end
  redis.call('ZREM', KEYS[2], key)
end
return {#expired, returned}
