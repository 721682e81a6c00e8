-- Part of other scripts: takes tasks out of a container, a slice at a time.

-- Takes up to n ids, those that run or are due first, each with its score if there are scores; nil
-- if the key is no container.
local function take_ids(source, n)
  local source_kind, ids, scores = kind(source), {}, {}
  if source_kind == 'list' then
    local right = redis.call('LRANGE', source, -n, -1)
    for i = #right, 1, -1 do
      ids[#ids + 1] = right[i]
    end
    redis.call('LTRIM', source, 0, -#ids - 1)
  elseif source_kind == 'zset' then
    local first = redis.call('ZRANGE', source, 0, n - 1, 'WITHSCORES')
    for i = 1, #first, 2 do
      ids[#ids + 1] = first[i]
      scores[#scores + 1] = first[i + 1]
    end
    redis.call('ZREM', source, unpack(ids))
  elseif source_kind ~= 'none' then
    return nil
  end
  return ids, scores
end

-- Puts back what was taken, from the one at a position on.
local function put_back(source, ids, scores, from)
  for i = #ids, from, -1 do
    if scores[i] then
      redis.call('ZADD', source, scores[i], ids[i])
    else
      redis.call('RPUSH', source, ids[i])
    end
  end
end

-- Takes up to n ids and gives act those whose task stands nowhere else; an id without a task only
-- leaves. Fewer, but at least one, when too many others have to be looked through to know. prefix
-- is that of the queue's keys, state what tasks here have, group whose the source is or "".
-- Returns {ids that were there before, ids taken, tasks given to act}, {-2} when the source or the
-- set of groups has the wrong type.
local function take(source, n, prefix, state, group, act)
  local source_kind = kind(source)
  local size = source_kind == 'list' and redis.call('LLEN', source)
    or source_kind == 'zset' and redis.call('ZCARD', source) or 0
  if size == 0 and source_kind ~= 'none' or group ~= '' and not fits(prefix .. 'groups', 'set') then
    return {-2}
  end
  local ids, scores, taken, moved = {}, {}, 0, 0
  if size > 0 then
    ids, scores = take_ids(source, n)
  end
  for i, id in ipairs(ids) do
    local task, elsewhere = prefix .. 't:' .. id, true
    if kind(task) == 'hash' then
      local fields = redis.call('HMGET', task, 'state', 'group')
      elsewhere = false
      if fields[1] ~= state then
        elsewhere = stands(prefix, id, fields[1], fields[2])
      end
    end
    if elsewhere == nil then
      put_back(source, ids, scores, i)
      break
    elseif not elsewhere then
      act(id)
      moved = moved + 1
    end
    taken = i
  end
  if group ~= '' and redis.call('EXISTS', source) == 0 then
    redis.call('SREM', prefix .. 'groups', group)
  end
  return {size, taken, moved}
end
