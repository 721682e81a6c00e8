-- Part of other scripts: how many tasks may start in which time. rate:<need> has, in µs, when the bucket of tokens would
-- be full again if no task had come, the first moment that is not promised to a waiting task, the same for those that
-- came late, the time between two starts that these were made with, and when that was; slots:<limit> the moment of each
-- waiting task, ms, by "key, queue, id" in lines. Needs limits.
local SLOT_KEPT = 3600000

-- What is kept of a need. After the rate has been changed the new one applies at once. After Redis's clock has been set
-- back, what was promised by the later time would keep tasks from starting for that long.
local function rate_of(need)
  local rule = need.rule
  local full, promised, late, interval, at =
    string.match(redis.call('GET', LIMITS .. 'rate:' .. need.text) or '', '^(%d+) (%d+) (%d+) (%d+) (%d+)$')
  local rate = {full = tonumber(full) or 0, promised = tonumber(promised) or 0, late = tonumber(late) or 0}
  if interval and (tonumber(interval) ~= rule.interval or tonumber(at) > micros) then
    rate = {full = math.min(rate.full, micros + rule.burst * rule.interval), promised = micros, late = micros}
  end
  return rate
end

local function keep(need, rate)
  local ends = math.max(rate.full, rate.promised, rate.late)
  redis.call('SET', LIMITS .. 'rate:' .. need.text,
    string.format('%.0f %.0f %.0f %.0f %.0f', rate.full, rate.promised, rate.late, need.rule.interval, micros), 'PX',
    string.format('%.0f', math.ceil((ends - micros) / 1000) + 60000))
end

-- Forgets moments of tasks that never came: they were deleted, or a Go server ran them.
local function trim(slots)
  local old = redis.call('ZRANGEBYSCORE', slots, '-inf', string.format('%.0f', now - SLOT_KEPT), 'LIMIT', '0', '100')
  if #old > 0 then
    redis.call('ZREM', slots, unpack(old))
  end
end

-- When a task may start, ms: 0 for now. It is promised that moment.
local function starts_at(need, token)
  local rule, at = need.rule, micros
  if not rule.interval or rule.interval == 0 then
    return 0
  end
  local slots, rate = LIMITS .. 'slots:' .. need.limit, rate_of(need)
  local slot = redis.call('ZSCORE', slots, token)
  -- Promised before the rate was changed or Redis's clock was set back
  if slot and tonumber(slot) > math.max(rate.promised, rate.late) / 1000 + 1 then
    slot = false
  end
  local earliest = rate.full - (rule.burst - 1) * rule.interval
  if earliest <= at and (slot or rate.promised <= at) then
    return 0
  elseif slot and tonumber(slot) > now then
    return tonumber(slot)
  end
  local moment = math.max(slot and rate.late or rate.promised, earliest, at)
  rate[slot and 'late' or 'promised'] = moment + rule.interval
  trim(slots)
  redis.call('ZADD', slots, string.format('%.0f', math.ceil(moment / 1000)), token)
  keep(need, rate)
  return math.ceil(moment / 1000)
end

-- Counts a task that starts now.
local function start(need, token)
  local rule = need.rule
  if rule.interval and rule.interval > 0 then
    local rate = rate_of(need)
    rate.full = math.max(rate.full, micros) + rule.interval
    redis.call('ZREM', LIMITS .. 'slots:' .. need.limit, token)
    keep(need, rate)
  end
end
