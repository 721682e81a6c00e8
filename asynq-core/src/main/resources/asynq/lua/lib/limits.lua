-- Part of other scripts: tokens of limits, all of which lie in one slot. What a task needs is its class: a line for each
-- limit, its name or "name, tab, key", then an empty line and its queue. The scripts have
-- KEYS[1] rules: "concurrent interval burst …" of each limit, µs between two starts; "!" before the name: as changed later
-- ARGV[1] present time
-- ARGV[2] prefix of the keys of limits: held:<limit> has the end of each token by "key, queue, id, fence" in lines;
--   keys:<limit> how many tokens each key has in use; void what was given back without being held, by until when it
--   is kept: a call that comes late must take nothing
-- ARGV[3] how long a token lasts, ms
-- Needs time.
local LIMITS, TOKEN, GRACE = ARGV[2], tonumber(ARGV[3]), 15000
local _, _, exact = present(ARGV[1])
local micros = math.floor(exact * 1000000 + 0.5)
local now = math.floor(micros / 1000)
local rules, parsed, touched = {}, {}, {}

local function text(number)
  return string.format('%.0f', number)
end

-- Whoever calls looks whether anybody can go on at this place, see turns.
local function touch(place)
  if not touched[place] then
    touched[place] = true
    touched[#touched + 1] = place
  end
end

local function use(limit, key, n)
  local counts = LIMITS .. 'keys:' .. limit
  if tonumber(redis.call('ZADD', counts, 'INCR', n, key)) <= 0 then
    redis.call('ZREM', counts, key)
  end
end

-- Takes tokens back that have ended twice: their servers are gone. Whoever finds a token ended extends it once, and the
-- half millisecond says so: after a step of Redis's clock all seem to have ended, and live servers extend theirs. None
-- ends later than it would if it were extended now, in case the clock was set back.
local function take_back(limit)
  local held, dead = LIMITS .. 'held:' .. limit, {}
  local ended = redis.call('ZRANGEBYSCORE', held, '-inf', text(now), 'WITHSCORES', 'LIMIT', '0', '100')
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
  for _, owner in ipairs(redis.call('ZRANGEBYSCORE', held, text(now + TOKEN + GRACE + 1), '+inf', 'LIMIT', '0', '100')) do
    redis.call('ZADD', held, text(now + TOKEN), owner)
  end
end

-- The rule of a limit. At its first look a call takes tokens back.
local function rule_of(limit)
  if not rules[limit] then
    local texts = redis.call('HMGET', KEYS[1], '!' .. limit, limit)
    local concurrent, interval, burst = string.match(texts[1] or texts[2] or '', '^(%d+) (%d+) (%d+)')
    rules[limit] = {concurrent = tonumber(concurrent), interval = tonumber(interval), burst = tonumber(burst)}
    take_back(limit)
  end
  return rules[limit]
end

local function need_of(place)
  local limit, key = string.match(place, '^([^\t]*)\t?(.*)$')
  return {text = place, limit = limit, key = key, rule = rule_of(limit)}
end

local function needs_of(class)
  if not parsed[class] then
    local needs = {}
    for place in string.gmatch(string.match(class, '^(.-)\n\n'), '[^\n]+') do
      needs[#needs + 1] = need_of(place)
    end
    parsed[class] = needs
  end
  return parsed[class]
end

local function queue_of(class)
  return string.match(class, '\n\n(.*)$')
end

-- First a command that Redis executes even when it is out of memory; then it executes the rest too.
redis.call('ZREM', LIMITS .. 'void', '')
