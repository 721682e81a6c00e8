-- Part of other scripts: ends of leases. Needs seconds.

-- Returns the end of a lease that begins now and lasts so many milliseconds, in the whole seconds that Go knows, as
-- text; how many milliseconds are left until then; the present time in seconds with their fraction.
local function lease_end(given, milliseconds)
  local now = present_seconds(given)
  local ends = now + milliseconds / 1000
  ends = ends - ends % 1
  local left = (ends - now) * 1000
  return string.format('%.0f', ends), left < 2147483647 and left or 2147483647, now
end
