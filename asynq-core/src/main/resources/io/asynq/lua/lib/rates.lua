-- Part of other scripts: how many tasks may start in which time. rate:<need> has when its bucket of tokens would be full
-- if no task came, the time between two starts for which that was reckoned, and when, all in µs. Needs limits.

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
