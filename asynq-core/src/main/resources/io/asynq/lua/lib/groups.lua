-- Part of other scripts: makes groups visible. prefix is that of the queue's groups. Needs kinds.

-- Lists a group that has tasks; 1 if it was not listed.
local function list(groups, prefix, group)
  return kind(prefix .. group) == 'zset' and redis.call('SADD', groups, group) or 0
end

-- The group that a staged set was taken from; nil if the key is none of a staged set.
local function group_of(prefix, set)
  if string.sub(set, 1, #prefix) == prefix then return string.match(string.sub(set, #prefix + 1), '^(.*):[^:]*$') end
end
