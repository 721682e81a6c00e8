-- Part of other scripts: ends of leases. Needs time.

-- How long a lease lasts where nothing else is written down (x-lasts), as Go's do.
local USUAL_LEASE_MS = '30000'

-- Returns the end of a lease that begins now and lasts so many milliseconds, in the whole seconds
-- that Go knows, and how many milliseconds are left until then.
local function lease_end(given, milliseconds)
  local _, _, now = present(given)
  local ends = math.floor(now + milliseconds / 1000)
  return ends, math.min(math.floor((ends - now) * 1000), 2147483647)
end

-- Notes the end of a lease with an attempt of ours: while both are the same, the lease is ours.
local function note_lease(task, ends)
  local fence = redis.pcall('HGET', task, 'x-attempt')
  if type(fence) == 'string' then
    redis.call('HSET', task, 'x-lease', ends)
  end
end
