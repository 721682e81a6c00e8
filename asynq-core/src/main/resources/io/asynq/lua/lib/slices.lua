-- Part of other scripts: removes ids from a container, a slice at a time. Needs kinds and messages.

-- Removes up to n ids, those that run or are due first; returns them and their scores, if any; nil if the key is no
-- container.
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

local function put_back(source, ids, scores, from)
  for i = #ids, from, -1 do
    if scores[i] then
      redis.call('ZADD', source, scores[i], ids[i])
    else
      redis.call('RPUSH', source, ids[i])
    end
  end
end

local function delete_tasks(prefix, ids)
  for _, id in ipairs(ids) do
    if kind(prefix .. id) == 'hash' and redis.call('HGET', prefix .. id, 'state') ~= 'active' then
      delete_task(prefix, id)
    end
  end
end
