-- Part of other scripts: the present time as in time, in seconds with their fraction, for scripts that run often. It is
-- the same for all queues of a call.
local known_present

local function present_seconds(given)
  if given ~= '' then return given / 1000000000 end
  if not known_present then
    local time = redis.call('TIME')
    known_present = time[1] + time[2] / 1000000
  end
  return known_present
end
