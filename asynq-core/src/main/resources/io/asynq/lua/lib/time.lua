-- Part of other scripts: the present time, which is Redis's; only tests pass another, in nanoseconds since the epoch.
-- Returns whole seconds; nanoseconds, as text because Lua's numbers end before; seconds with their fraction.
local function present(given)
  if given ~= '' then
    local seconds = tonumber(string.sub(given, 1, -10))
    return seconds, given, seconds + tonumber('0.' .. string.sub(given, -9))
  end
  local time = redis.call('TIME')
  return tonumber(time[1]), time[1] .. string.sub('00000' .. time[2], -6) .. '000', time[1] + time[2] / 1000000
end
