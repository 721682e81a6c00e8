-- Part of other scripts: tokens that come back are reserved for classes of waiting tasks, in turns, so that nobody else
-- takes them before these tasks are pending. Whoever calls then has tasks of these classes made pending. Keys beside
-- those of limits: ring:<need> has the classes that wait for it, the next first; reserved:<class> the ends of its
-- reservations; reserved when the first of each class ends; resting until when paused queues get none; late until when
-- queues get theirs after all others, because nobody took what was reserved. The scripts have
-- ARGV[3] how long a reservation lasts, ms
-- Needs limits.
local MOST_PROMOTED, MOST_CLASSES, LATE = 256, 100, 60000
local turns, order, count, touched = {}, {}, 0, {}

local function touch(class)
  for _, need in ipairs(needs_of(class)) do
    if not touched[need.text] then
      touched[need.text] = true
      touched[#touched + 1] = need
    end
  end
end

-- Takes a reservation of a class, the latest: one that nobody takes must end.
local function take_reserved(class)
  local key = LIMITS .. 'reserved:' .. class
  local latest = redis.call('ZRANGE', key, '-1', '-1')
  if #latest > 0 and redis.call('ZREM', key, latest[1]) == 1 and redis.call('EXISTS', key) == 0 then
    redis.call('ZREM', LIMITS .. 'reserved', class)
  end
  return #latest > 0
end

-- Notes something of the queue of a class for a while.
local function note(what, class, millis)
  redis.call('ZADD', LIMITS .. what, string.format('%.0f', now + millis), string.match(class, '\n\n(.*)$'))
end

local function is_noted(what, class)
  local queue = string.match(class, '\n\n(.*)$')
  local ends = redis.call('ZSCORE', LIMITS .. what, queue)
  if ends and tonumber(ends) <= now then
    redis.call('ZREM', LIMITS .. what, queue)
  end
  return ends and tonumber(ends) > now
end

local function end_reservations()
  local present_ms = string.format('%.0f', now)
  for _, class in ipairs(redis.call('ZRANGEBYSCORE', LIMITS .. 'reserved', '-inf', present_ms, 'LIMIT', '0', '100')) do
    local key = LIMITS .. 'reserved:' .. class
    local ended = redis.call('ZRANGEBYSCORE', key, '-inf', present_ms, 'LIMIT', '0', '1000')
    if #ended > 0 then
      redis.call('ZREM', key, unpack(ended))
      use_all(class, -#ended)
      note('late', class, LATE)
      touch(class)
    end
    local first = redis.call('ZRANGE', key, '0', '0', 'WITHSCORES')
    if first[2] then
      redis.call('ZADD', LIMITS .. 'reserved', first[2], class)
    else
      redis.call('ZREM', LIMITS .. 'reserved', class)
    end
  end
end

-- A score after all others of a ring.
local function last_turn()
  count = count + 1
  return string.format('%.0f', micros + count)
end

local function reserve(class)
  local ends = string.format('%.0f', now + ARGV[3])
  use_all(class, '1')
  redis.call('ZADD', LIMITS .. 'reserved:' .. class, ends, last_turn())
  redis.call('ZADD', LIMITS .. 'reserved', 'NX', ends, class)
  for _, need in ipairs(needs_of(class)) do
    redis.call('ZADD', LIMITS .. 'ring:' .. need.text, last_turn(), class)
  end
  if not turns[class] then
    order[#order + 1] = class
  end
  turns[class] = (turns[class] or 0) + 1
end

-- Reserves what is free of all touched limits, class by class.
local function give_turns()
  local given = 0
  end_reservations()
  for _, need in ipairs(touched) do
    local ring, i = LIMITS .. 'ring:' .. need.text, 1
    local classes = is_free(need) and redis.call('ZRANGE', ring, '0', string.format('%.0f', MOST_CLASSES - 1)) or {}
    local looked, before, late = #classes, given, {}
    while classes[i] and given < MOST_PROMOTED and i <= MOST_PROMOTED and is_free(need) do
      local class = classes[i]
      if are_free(class) and not is_noted('resting', class) then
        if is_noted('late', class) then
          late[#late + 1] = class
        else
          reserve(class)
          given = given + 1
          classes[#classes + 1] = class
        end
      end
      i = i + 1
    end
    for _, class in ipairs(late) do
      if are_free(class) and given < MOST_PROMOTED then
        reserve(class)
        given = given + 1
      end
    end
    if looked == MOST_CLASSES and given == before then
      -- None of them can go on now: the next call looks at those behind
      for j = 1, looked do
        redis.call('ZADD', ring, last_turn(), classes[j])
      end
    end
  end
  local answer = {}
  for _, class in ipairs(order) do
    answer[#answer + 1] = class
    answer[#answer + 1] = turns[class]
  end
  return answer
end
