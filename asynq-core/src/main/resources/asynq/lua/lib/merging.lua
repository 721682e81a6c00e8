-- Part of other scripts: gives the tasks of a staged set back to their group. A set whose group has
-- nothing only changes its name. Else the fewer go to the more, so that it does not matter how many
-- there are of the others; only where both are more than 500 are all copied (some 10 ms for 10,000).
-- Should an id stand in both, the earlier time counts.
local function add_all(from, to)
  local scored = redis.call('ZRANGE', from, 0, -1, 'WITHSCORES')
  for i = 1, #scored, 2 do
    scored[i], scored[i + 1] = scored[i + 1], scored[i]
  end
  redis.call('ZADD', to, 'LT', unpack(scored))
  redis.call('UNLINK', from)
end

local function merge(set, group)
  if redis.call('RENAMENX', set, group) == 1 then
    return
  elseif redis.call('ZCARD', group) <= 500 then
    add_all(group, set)
    redis.call('RENAMENX', set, group)
  elseif redis.call('ZCARD', set) <= 500 then
    add_all(set, group)
  else
    redis.call('ZUNIONSTORE', group, 2, group, set, 'AGGREGATE', 'MIN')
    redis.call('UNLINK', set)
  end
end
