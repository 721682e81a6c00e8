-- Part of other scripts: whether an id stands in a list; nil, which is not known, when that would be
-- too much to look at. Needs looks.
local function stands_in(list, id)
  looked_at = looked_at + redis.call('LLEN', list)
  if looked_at > MOST_LOOKED_AT then
    return nil
  end
  return redis.call('LPOS', list, id) ~= false
end
