-- Part of other scripts: the present time as in time, in seconds with their fraction, for scripts that run often.
local function present_seconds(given)
  if given ~= '' then
    return given / 1000000000
  end
  local time = redis.call('TIME')
  return time[1] + time[2] / 1000000
end
