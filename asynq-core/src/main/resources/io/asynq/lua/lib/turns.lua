-- Part of other scripts: which waiting tasks are woken. Classes of waiting tasks stand in rings: each in that of the
-- place where it cannot go on, a need without a free token or a queue that takes no tasks. Whoever gives a token back,
-- or finds one free, wakes the next class. A token is kept for a second for a task that was woken; then others may have
-- it. Keys beside those of limits: waiting has "number, place" in lines of each class, ring:<place> the classes by
-- whose turn it is, queues how many classes each queue has, resting until when queues rest, ms, clock the time of the
-- last look, ms, rate:<need> when its bucket of tokens would be full if no task came, the time between two starts for
-- which that was reckoned, and when, all in µs, woken:<need> until when tokens are kept, ms, by "class, number" in
-- lines, turn the last number, due when to look at a place again, ms: a need, or an empty line and a queue. Needs
-- limits.
local KEPT, REST, TICK, MOST, MOST_OF_CLASS = 1000, 1000, 250, 256, 16

local function keep_bucket(need, full)
  need.bucket = text(full) .. ' ' .. text(need.rule.interval) .. ' ' .. text(micros)
  redis.call('SET', LIMITS .. 'rate:' .. need.text, need.bucket, 'PX', text(math.ceil((full - micros) / 1000) + 60000))
end

-- When the bucket is full. After the rate was changed, or Redis's clock set back, it is at worst empty.
local function full_at(need)
  need.bucket = need.bucket or redis.call('GET', LIMITS .. 'rate:' .. need.text) or ''
  local full, interval, at = string.match(need.bucket, '^(%d+) (%d+) (%d+)$')
  full = math.max(tonumber(full) or 0, micros)
  if interval and (tonumber(interval) ~= need.rule.interval or tonumber(at) > micros) then
    full = math.min(full, micros + need.rule.burst * need.rule.interval)
    keep_bucket(need, full)
  end
  return full
end

-- When, in µs, there is a token in the bucket besides so many that are kept.
local function drips_at(need, kept)
  local rule = need.rule
  return rule.interval == 0 and 0 or full_at(need) + (kept + 1 - rule.burst) * rule.interval
end

local function start(need)
  if need.rule.interval > 0 then
    keep_bucket(need, full_at(need) + need.rule.interval)
  end
end

local function next_number()
  return redis.call('INCRBY', LIMITS .. 'turn', 1)
end

-- For whom tokens of a need are kept, the latest last. One that seems to be kept for longer was so before Redis's clock
-- was set back.
local function kept(need)
  need.kept = need.kept
    or redis.call('ZRANGEBYSCORE', LIMITS .. 'woken:' .. need.text, '(' .. text(now), text(now + KEPT))
  return need.kept
end

-- When, in µs, there is a token of a need: not later than now if there is one, nil if one must come back. A limit
-- without a rule has none: servers announce theirs before they take any.
local function free_at(need)
  local rule = need.rule
  if not rule.concurrent then return nil end
  local id = need.limit .. '\t' .. need.key
  if rule.concurrent > 0 then
    used[id] = used[id] or tonumber(redis.call('ZSCORE', LIMITS .. 'keys:' .. need.limit, need.key) or 0)
    if used[id] + #kept(need) >= rule.concurrent then return nil end
  end
  return drips_at(need, #kept(need))
end

local function look_at(place, millis)
  redis.call('ZADD', LIMITS .. 'due', 'LT', text(millis), place)
end

-- Keeps a token of each need for a task of a class that is woken.
local function keep(class, number)
  for _, need in ipairs(needs_of(class)) do
    table.insert(kept(need), class .. '\n' .. number)
    redis.call('ZADD', LIMITS .. 'woken:' .. need.text, text(now + KEPT), class .. '\n' .. number)
    look_at(need.text, now + KEPT)
  end
end

-- Keeps them no longer for the latest one. Returns whether they were kept.
local function let_go(class)
  local removed = 0
  for _, need in ipairs(needs_of(class)) do
    local all, i = kept(need), #kept(need)
    while i > 0 and string.sub(all[i], 1, #class + 1) ~= class .. '\n' do
      i = i - 1
    end
    removed = i > 0 and redis.call('ZREM', LIMITS .. 'woken:' .. need.text, table.remove(all, i)) or removed
  end
  return removed == 1
end

local woken, order, numbers, places, resting, steps = {}, {}, {}, {}, {}, 0

-- Returns whether tasks can go on at a place. If they can in a while, it is looked at again then.
local function is_open(place)
  local millis
  if string.sub(place, 1, 1) == '\n' then
    resting[place] = resting[place] or tonumber(redis.call('ZSCORE', LIMITS .. 'resting', string.sub(place, 2)) or 0)
    millis = resting[place] <= now + REST and resting[place] or 0
  else
    local at = free_at(need_of(place))
    millis = at and (at <= micros and 0 or math.max(math.ceil(at / 1000), now + TICK))
    if not need_of(place).rule.concurrent then
      millis = now + REST
    end
  end
  if millis and millis > now then
    look_at(place, millis)
  end
  return millis and millis <= now
end

-- The place where a class cannot go on, nil if it can.
local function blocked_at(class)
  for _, need in ipairs(needs_of(class)) do
    local at = free_at(need)
    if not at or at > micros then return need.text end
  end
  local queue = '\n' .. queue_of(class)
  return not is_open(queue) and queue or nil
end

-- Whoever is alone in its ring stays where it is; others go behind all.
local function wake(class, number, ring)
  local turn = next_number()
  keep(class, turn)
  if ring then
    redis.call('ZADD', ring, turn, class)
  end
  if not woken[class] then
    order[#order + 1] = class
    numbers[class] = number
  end
  woken[class] = (woken[class] or 0) + 1
end

local function place_of(class)
  places[class] = places[class] or redis.call('HGET', LIMITS .. 'waiting', class) or ''
  return string.match(places[class], '^(%d+)\n(.*)$')
end

local function note(class, number, place)
  places[class] = number .. '\n' .. place
  redis.call('HSET', LIMITS .. 'waiting', class, places[class])
end

local function forget(class)
  local _, place = place_of(class)
  if place then
    redis.call('ZREM', LIMITS .. 'ring:' .. place, class)
    redis.call('HDEL', LIMITS .. 'waiting', class)
    places[class] = ''
    if redis.call('HINCRBY', LIMITS .. 'queues', queue_of(class), -1) <= 0 then
      redis.call('HDEL', LIMITS .. 'queues', queue_of(class))
    end
  end
end

local function go_round(place)
  local ring = LIMITS .. 'ring:' .. place
  local first = redis.call('ZRANGE', ring, '0', '1')
  while first[1] and is_open(place) do
    local class, alone = first[1], not first[2]
    if steps >= MOST or (woken[class] or 0) >= MOST_OF_CLASS then
      look_at(place, now)
      return
    end
    steps = steps + 1
    local number, noted = place_of(class)
    local blocked = noted == place and blocked_at(class)
    if noted ~= place or blocked then
      redis.call('ZREM', ring, class)
      alone = false
    end
    if blocked then
      redis.call('ZADD', LIMITS .. 'ring:' .. blocked, next_number(), class)
      note(class, number, blocked)
      is_open(blocked)
    elseif noted == place then
      wake(class, number, not alone and ring)
    end
    first = alone and first or redis.call('ZRANGE', ring, '0', '1')
  end
end

-- Wakes whoever can go on at the places that were touched. Returns in how many ms somebody must look again, -1 if
-- nobody must, and three for each class that was woken: class; how many of its tasks; its number.
local function give_turns()
  for _, place in ipairs(touched) do
    go_round(place)
  end
  local due = redis.call('ZRANGE', LIMITS .. 'due', '0', '0', 'WITHSCORES')[2]
  local answer = {due and math.max(0, math.ceil(due - now)) or -1}
  for _, class in ipairs(order) do
    answer[#answer + 1] = class
    answer[#answer + 1] = woken[class]
    answer[#answer + 1] = numbers[class]
  end
  return answer
end
