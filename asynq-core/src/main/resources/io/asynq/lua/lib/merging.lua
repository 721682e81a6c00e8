-- Part of other scripts: gives the tasks of a staged set back to their group. If the group is empty, the set is
-- renamed. Otherwise the smaller is merged into the larger, 500 at a time, so that the size of the larger does not
-- matter (2 ms for 1,000, 10 ms for 10,000). For an id in both, the earlier time counts.
local function merge(set, group)
  if redis.call('RENAMENX', set, group) == 1 then return end
  local from, to = set, group
  if redis.call('ZCARD', group) < redis.call('ZCARD', set) then
    from, to = group, set
  end
  for first = 0, redis.call('ZCARD', from) - 1, 500 do
    local scored = redis.call('ZRANGE', from, first, first + 499, 'WITHSCORES')
    for i = 1, #scored, 2 do
      scored[i], scored[i + 1] = scored[i + 1], scored[i]
    end
    redis.call('ZADD', to, 'LT', unpack(scored))
  end
  redis.call('UNLINK', from)
  if to == set then
    redis.call('RENAMENX', set, group)
  end
end
