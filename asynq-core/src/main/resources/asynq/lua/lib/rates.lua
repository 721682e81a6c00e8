-- Part of other scripts: how many tasks may start in which time. rate:<need> has, in µs, when the bucket of tokens would
-- be full again if no task had come, the first moment that is not promised to a waiting task, and the same for those that
-- came late; slots:<limit> the moment of each waiting task, ms, by "key, queue, id" in lines. Needs limits.

-- When a task may start, ms: 0 for now. It is promised that moment.
local function starts_at(need, token)
  local rule, at = need.rule, micros
  if not rule.interval or rule.interval == 0 then
    return 0
  end
  local key, slots = LIMITS .. 'rate:' .. need.text, LIMITS .. 'slots:' .. need.limit
  local full, promised, late = string.match(redis.call('GET', key) or '0 0 0', '^(%d+) (%d+) (%d+)$')
  full, promised, late = tonumber(full), tonumber(promised), tonumber(late)
  local slot = redis.call('ZSCORE', slots, token)
  local earliest = full - (rule.burst - 1) * rule.interval
  if earliest <= at and (slot or promised <= at) then
    return 0
  elseif slot and tonumber(slot) > now then
    return tonumber(slot)
  end
  local moment = math.max(slot and late or promised, earliest, at)
  if slot then
    late = moment + rule.interval
  else
    promised = moment + rule.interval
  end
  redis.call('ZADD', slots, string.format('%.0f', math.ceil(moment / 1000)), token)
  redis.call('SET', key, string.format('%.0f %.0f %.0f', full, promised, late), 'PX',
    string.format('%.0f', math.ceil((math.max(full, promised, late) - at) / 1000) + 60000))
  return math.ceil(moment / 1000)
end

-- Counts a task that starts now.
local function start(need, token)
  local rule, at = need.rule, micros
  if rule.interval and rule.interval > 0 then
    local key = LIMITS .. 'rate:' .. need.text
    local full, promised, late = string.match(redis.call('GET', key) or '0 0 0', '^(%d+) (%d+) (%d+)$')
    full = math.max(tonumber(full), at) + rule.interval
    redis.call('ZREM', LIMITS .. 'slots:' .. need.limit, token)
    redis.call('SET', key, string.format('%.0f %s %s', full, promised, late), 'PX',
      string.format('%.0f', math.ceil((math.max(full, tonumber(promised), tonumber(late)) - at) / 1000) + 60000))
  end
end
