-- Part of other scripts: takes tasks out of a container, a slice at a time.

-- Takes up to n ids, those that run or are due first; nil if the key is no container.
local function take_ids(source, n)
  local source_kind, ids = kind(source), {}
  if source_kind == 'list' then
    local right = redis.call('LRANGE', source, -n, -1)
    for i = #right, 1, -1 do
      ids[#ids + 1] = right[i]
    end
    redis.call('LTRIM', source, 0, -#ids - 1)
  elseif source_kind == 'zset' then
    ids = redis.call('ZRANGE', source, 0, n - 1)
    redis.call('ZREM', source, unpack(ids))
  elseif source_kind ~= 'none' then
    return nil
  end
  return ids
end

-- Takes up to n ids and gives act those whose task stands nowhere else, as far as can be seen by
-- looking through not too many ids; an id without a task only leaves. prefix is that of the
-- queue's keys, state what tasks here have, group whose the source is or "". Returns {ids that
-- were there before, ids taken, tasks given to act}, {-2} when the source or the set of groups has
-- the wrong type.
local function take(source, n, prefix, state, group, act)
  local source_kind = kind(source)
  local size = source_kind == 'list' and redis.call('LLEN', source)
    or source_kind == 'zset' and redis.call('ZCARD', source) or 0
  if size == 0 and source_kind ~= 'none' or group ~= '' and not fits(prefix .. 'groups', 'set') then
    return {-2}
  end
  local ids, moved = size > 0 and take_ids(source, n) or {}, 0
  for _, id in ipairs(ids) do
    local task = prefix .. 't:' .. id
    if kind(task) == 'hash' then
      local fields = redis.call('HMGET', task, 'state', 'group')
      if fields[1] == state or not stands(prefix, id, fields[1], fields[2]) then
        act(id)
        moved = moved + 1
      end
    end
  end
  if group ~= '' and redis.call('EXISTS', source) == 0 then
    redis.call('SREM', prefix .. 'groups', group)
  end
  return {size, #ids, moved}
end
