-- Wakes tasks that can go on because time has passed.
-- KEYS rules, see limits
-- ARGV[1] to ARGV[3] see limits
-- ARGV[4] "1" to look for tokens of servers that are gone, too
-- Returns whom it has woken, see turns.
local due, resting, clock = LIMITS .. 'due', LIMITS .. 'resting', LIMITS .. 'clock'
if tonumber(redis.call('GET', clock) or 0) > now then
  -- Redis's clock was set back
  for _, place in ipairs(redis.call('ZRANGE', due, '0', '-1')) do
    redis.call('ZADD', due, text(now), place)
  end
end
if redis.call('EXISTS', KEYS[1], due) > 0 then
  redis.call('SET', clock, text(now), 'PX', 60000)
end
for _, queue in ipairs(redis.call('ZRANGEBYSCORE', resting, '-inf', text(now))) do
  redis.call('ZREM', resting, queue)
end
for _, place in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', text(now), 'LIMIT', '0', text(MOST))) do
  redis.call('ZREM', due, place)
  touch(place)
end
if ARGV[4] == '1' then
  for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
    rule_of(string.match(name, '^!?(.*)$'))
  end
end
return give_turns()
