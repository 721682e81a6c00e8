-- Part of other scripts: tokens of limits, all of which lie in one slot. What a task needs is its class: a line for
-- each limit, its name or "name, tab, key", then an empty line and its queue. The scripts have
-- KEYS[1] rules: "concurrent interval burst …" of each limit, µs between two starts; "!" before the name: as changed
-- later
-- ARGV[1] present time; [2] prefix of the keys of limits: held:<limit> has the end of each token by "key, queue, id,
-- fence" in lines; keys:<limit> how many tokens each key has in use; void what was given back without being held, by
-- until when it is kept: a call that comes late must take nothing; [3] how long a token lasts, ms
-- Needs time.
local LIMITS, TOKEN = ARGV[2], tonumber(ARGV[3])
local _, _, exact = present(ARGV[1])
local micros = math.floor(exact * 1000000 + 0.5)
local now = math.floor(micros / 1000)
local rules, known, parsed, used, touched = {}, {}, {}, {}, {}

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
  local counts, id = LIMITS .. 'keys:' .. limit, limit .. '\t' .. key
  used[id] = tonumber(redis.call('ZADD', counts, 'INCR', n, key))
  if used[id] <= 0 then
    redis.call('ZREM', counts, key)
  end
end

local function rule_of(limit)
  if not rules[limit] then
    local texts = redis.call('HMGET', KEYS[1], '!' .. limit, limit)
    local concurrent, interval, burst = string.match(texts[1] or texts[2] or '', '^(%d+) (%d+) (%d+)')
    rules[limit] = {concurrent = tonumber(concurrent), interval = tonumber(interval), burst = tonumber(burst)}
  end
  return rules[limit]
end

local function need_of(place)
  if not known[place] then
    local limit, key = string.match(place, '^([^\t]*)\t?(.*)$')
    known[place] = {text = place, limit = limit, key = key, rule = rule_of(limit)}
  end
  return known[place]
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
