-- Part of other scripts: tokens that are kept for tasks that were woken, and those that are free. Keys beside those of
-- limits: woken:<class> and woken:<need> until when tokens are kept, ms, by number; turn the last number; due when to
-- look at a place again, ms: a need, or an empty line and a queue. Needs limits and rates.
local KEPT = 1000

local function next_number()
  return redis.call('INCRBY', LIMITS .. 'turn', 1)
end

-- How many tokens of a need, or of a class, are kept. One that seems to be kept for longer was so before Redis's clock
-- was set back.
local function kept(whose)
  return redis.call('ZCOUNT', LIMITS .. 'woken:' .. whose, '(' .. text(now), text(now + KEPT))
end

-- When, in µs, there is a token of a need: not later than now if there is one, nil if one must come back. A limit
-- without a rule has none: servers announce theirs before they take any.
local function free_at(need)
  local rule = need.rule
  if not rule.concurrent then
    return nil
  end
  local waked = kept(need.text)
  if rule.concurrent > 0
    and tonumber(redis.call('ZSCORE', LIMITS .. 'keys:' .. need.limit, need.key) or 0) + waked >= rule.concurrent then
    return nil
  end
  return drips_at(need, waked)
end

-- Has somebody look at a place at a time.
local function look_at(place, millis)
  redis.call('ZADD', LIMITS .. 'due', 'LT', text(millis), place)
end

-- Keeps tokens of a class for a task that is woken.
local function keep(class, place)
  local number, ends = next_number(), text(now + KEPT)
  local keys = {LIMITS .. 'woken:' .. class}
  for _, need in ipairs(needs_of(class)) do
    keys[#keys + 1] = LIMITS .. 'woken:' .. need.text
    look_at(need.text, now + KEPT)
  end
  for _, key in ipairs(keys) do
    redis.call('ZADD', key, ends, number)
    redis.call('EXPIRE', key, 2)
  end
  redis.call('ZADD', LIMITS .. 'ring:' .. place, number, class)
end

-- Keeps a token of each need no longer. Returns whether one was kept.
local function let_go(class)
  local key = LIMITS .. 'woken:' .. class
  local number = redis.call('ZRANGE', key, '-1', '-1')[1]
  if number then
    redis.call('ZREM', key, number)
    for _, need in ipairs(needs_of(class)) do
      redis.call('ZREM', LIMITS .. 'woken:' .. need.text, number)
    end
  end
  return number
end

