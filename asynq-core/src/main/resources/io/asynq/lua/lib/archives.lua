-- Part of other scripts: the only way into the archive, for at most a thousand tasks at a time. Removes what is too old
-- or too many, but never what was just added, and no more than a hundred others. prefix is that of task hashes. Needs
-- messages.
local function into_archive(archived, prefix, ids, now, life, size)
  if #ids == 0 then return end
  local scored, new, at, most = {}, {}, string.format('%.0f', now), #ids + 100
  for i, id in ipairs(ids) do
    scored[2 * i - 1], scored[2 * i], new[id] = at, id, true
  end
  redis.call('ZADD', archived, unpack(scored))
  local function remove(old)
    for _, id in ipairs(old) do
      if not new[id] then
        redis.call('ZREM', archived, id)
        if redis.pcall('HGET', prefix .. id, 'state') == 'archived' then
          delete_task(prefix, id)
        end
      end
    end
  end
  remove(redis.call('ZRANGEBYSCORE', archived, '-inf', now - life, 'LIMIT', 0, most))
  local excess = redis.call('ZCARD', archived) - tonumber(size)
  if excess > 0 then
    remove(redis.call('ZRANGE', archived, 0, math.min(excess, most) - 1))
  end
end
