-- Part of other scripts: counts n attempts in totals and in the counters of the day that now, s, is in, which live for
-- so many seconds. Totals restart when the first of them has reached the limit, as in Go. A counter that is not a
-- number is left alone: it must not block tasks. Only a missing right is an error, because nothing would ever be
-- counted. Needs days.
local function increment(key, n)
  local result = redis.pcall('INCRBY', key, n)
  local refused = type(result) == 'table' and result.err
  if refused and (string.find(refused, 'run this command', 1, true) or string.find(refused, 'permission', 1, true)) then
    error(refused)
  end
  return result
end

local function count(n, now, life, limit, totals)
  if n == 0 then return end
  local day, n_text = ':' .. day_of(now), string.format('%.0f', n)
  for i = 1, #totals do
    local key = totals[i] .. day
    if increment(key, n_text) == n then
      redis.call('EXPIREAT', key, math.floor(now + life))
    end
  end
  local full = false
  for i = 1, #totals do
    local reached = increment(totals[i], n_text)
    if type(reached) == 'number' then
      full = full or i == 1 and reached - n >= tonumber(limit)
    else
      full = full or string.find(reached.err, 'overflow', 1, true)
    end
    if full then
      redis.call('SET', totals[i], n)
    end
  end
end
