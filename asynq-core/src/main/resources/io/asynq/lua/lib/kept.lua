-- Part of other scripts: tokens that are kept for tasks that were woken, and those that are free. Keys beside those of
-- limits: woken:<need> until when tokens are kept, ms, by "class, number" in lines; turn the last number; due when to
-- look at a place again, ms: a need, or an empty line and a queue. Needs limits and rates.
local KEPT = 1000

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
  if not rule.concurrent then
    return nil
  end
  local id = need.limit .. '\t' .. need.key
  if rule.concurrent > 0 then
    used[id] = used[id] or tonumber(redis.call('ZSCORE', LIMITS .. 'keys:' .. need.limit, need.key) or 0)
    if used[id] + #kept(need) >= rule.concurrent then
      return nil
    end
  end
  return drips_at(need, #kept(need))
end

-- Has somebody look at a place at a time.
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
