-- Part of other scripts: whether an id is in a list; nil for unknown when the look limit is reached. Needs looks.
local function stands_in(list, id)
  looked_at = looked_at + redis.call('LLEN', list)
  if looked_at > MOST_LOOKED_AT then return nil end
  return redis.call('LPOS', list, id) ~= false
end
