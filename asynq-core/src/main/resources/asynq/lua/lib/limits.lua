-- Part of other scripts: tokens of limits, all of which lie in one slot. What a task needs is its class: a line for each
-- limit, its name or "name, tab, key", then an empty line and its queue. The scripts have
-- KEYS[1] rules: "concurrent interval burst …" of each limit, µs between two starts; "!" before the name: as changed later
-- ARGV[1] present time
-- ARGV[2] prefix of the keys of limits: held:<limit> has the end of each token by "key, queue, id, fence" in lines;
--   keys:<limit> how many tokens each key has in use
-- Needs time.
local LIMITS = ARGV[2]
local _, _, exact = present(ARGV[1])
local micros = math.floor(exact * 1000000 + 0.5)
local now = math.floor(micros / 1000)
local rules, parsed = {}, {}

local function use(limit, key, n)
  local counts = LIMITS .. 'keys:' .. limit
  if tonumber(redis.call('ZADD', counts, 'INCR', n, key)) <= 0 then
    redis.call('ZREM', counts, key)
  end
end

-- Takes tokens back that have ended twice: their servers are gone. Whoever finds a token ended extends it once, and the
-- half millisecond says so: after a step of Redis's clock all seem to have ended, and live servers extend theirs.
local function take_back(limit)
  local held, dead = LIMITS .. 'held:' .. limit, {}
  local ended = redis.call('ZRANGEBYSCORE', held, '-inf', string.format('%.0f', now), 'WITHSCORES', 'LIMIT', '0', '100')
  for i = 1, #ended, 2 do
    if tonumber(ended[i + 1]) % 1 == 0 then
      redis.call('ZADD', held, string.format('%.1f', now + 15000.5), ended[i])
    else
      dead[#dead + 1] = ended[i]
      use(limit, string.match(ended[i], '^[^\n]*'), '-1')
    end
  end
  if #dead > 0 then
    redis.call('ZREM', held, unpack(dead))
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

local function needs_of(class)
  if not parsed[class] then
    local needs = {}
    for text in string.gmatch(string.match(class, '^(.-)\n\n'), '[^\n]+') do
      local limit, key = string.match(text, '^([^\t]*)\t?(.*)$')
      needs[#needs + 1] = {text = text, limit = limit, key = key, rule = rule_of(limit)}
    end
    parsed[class] = needs
  end
  return parsed[class]
end

local function use_all(class, n)
  for _, need in ipairs(needs_of(class)) do
    use(need.limit, need.key, n)
  end
end

-- A limit without a rule has no tokens: servers announce theirs before they take any.
local function is_free(need)
  local concurrent = need.rule.concurrent
  return concurrent == 0
    or concurrent and tonumber(redis.call('ZSCORE', LIMITS .. 'keys:' .. need.limit, need.key) or 0) < concurrent
end

local function are_free(class)
  for _, need in ipairs(needs_of(class)) do
    if not is_free(need) then
      return false
    end
  end
  return true
end
