-- Wakes tasks that can go on because time has passed.
-- KEYS rules, see limits
-- ARGV[1] to ARGV[3] see limits; [4] "1" to look for tokens of servers that are gone, too
-- Returns whom it has woken, see turns.
local GRACE = 15000
local due, clock = LIMITS .. 'due', LIMITS .. 'clock'

-- Takes tokens back that have ended twice: their servers are gone. Whoever finds a token ended extends it once, and the
-- half millisecond says so: after a step of Redis's clock all seem to have ended, and live servers extend theirs. None
-- ends later than it would if it were extended now, in case the clock was set back.
local function take_back(limit)
  local held, dead = LIMITS .. 'held:' .. limit, {}
  local ended = redis.call('ZRANGEBYSCORE', held, '-inf', text(now), 'WITHSCORES', 'LIMIT', '0', MOST)
  for i = 1, #ended, 2 do
    if tonumber(ended[i + 1]) % 1 == 0 then
      redis.call('ZADD', held, string.format('%.1f', now + GRACE + 0.5), ended[i])
    else
      local key = string.match(ended[i], '^[^\n]*')
      dead[#dead + 1] = ended[i]
      use(limit, key, '-1')
      touch(limit .. '\t' .. key)
      if key == '' then
        touch(limit)
      end
    end
  end
  if #dead > 0 then
    redis.call('ZREM', held, unpack(dead))
  end
  for _, owner in ipairs(redis.call('ZRANGEBYSCORE', held, text(now + TOKEN + GRACE + 1), '+inf', 'LIMIT', '0', MOST)) do
    redis.call('ZADD', held, text(now + TOKEN), owner)
  end
end

if tonumber(redis.call('GET', clock) or 0) > now then
  -- Redis's clock was set back
  for _, place in ipairs(redis.call('ZRANGE', due, '0', '-1')) do
    redis.call('ZADD', due, text(now), place)
    redis.call('DEL', LIMITS .. 'woken:' .. place)
  end
end
if redis.call('EXISTS', KEYS[1], due) > 0 then
  redis.call('SET', clock, text(now), 'PX', 60000)
end
redis.call('ZREMRANGEBYSCORE', LIMITS .. 'resting', '-inf', text(now))
for _, place in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', text(now), 'LIMIT', '0', text(MOST))) do
  redis.call('ZREM', due, place)
  redis.call('ZREMRANGEBYSCORE', LIMITS .. 'woken:' .. place, '-inf', text(now))
  local next_end = redis.call('ZRANGE', LIMITS .. 'woken:' .. place, '0', '0', 'WITHSCORES')[2]
  if next_end then
    look_at(place, math.max(tonumber(next_end), now + TICK))
  end
  touch(place)
end
if ARGV[4] == '1' then
  redis.call('ZREMRANGEBYSCORE', LIMITS .. 'void', '-inf', text(now))
  for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
    take_back(string.match(name, '^!?(.*)$'))
  end
end
return give_turns()
