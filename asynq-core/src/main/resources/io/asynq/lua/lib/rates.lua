-- Part of other scripts: how many tasks may start in which time. rate:<need> has when its bucket of tokens would be full
-- if no task came, the time between two starts for which that was reckoned, and when, all in µs. Needs limits.

local function keep_bucket(need, full)
  need.full = full
  redis.call('SET', LIMITS .. 'rate:' .. need.text, text(full) .. ' ' .. text(need.rule.interval) .. ' ' .. text(micros),
    'PX', text(math.ceil((full - micros) / 1000) + 60000))
end

-- When the bucket is full. After the rate was changed, or Redis's clock set back, it is at worst empty.
local function full_at(need)
  if need.full then
    return need.full
  end
  local full, interval, at = string.match(redis.call('GET', LIMITS .. 'rate:' .. need.text) or '', '^(%d+) (%d+) (%d+)$')
  full = math.max(tonumber(full) or 0, micros)
  if interval and (tonumber(interval) ~= need.rule.interval or tonumber(at) > micros) then
    keep_bucket(need, math.min(full, micros + need.rule.burst * need.rule.interval))
  end
  need.full = need.full or full
  return need.full
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
