-- Part of other scripts: takes from the archive what is too old or too much: never what has just
-- come (new, by id), and no more than a hundred beyond how many have come (moved). prefix is that
-- of the queue's task hashes.
local function trim(archived, prefix, new, moved, cutoff, size)
  if moved == 0 then
    return
  end
  local function remove(ids)
    for _, id in ipairs(ids) do
      if not new[id] then
        redis.call('ZREM', archived, id)
        if redis.pcall('HGET', prefix .. id, 'state') == 'archived' then
          delete_task(prefix, id)
        end
      end
    end
  end
  local most = moved + 100
  remove(redis.call('ZRANGEBYSCORE', archived, '-inf', cutoff, 'LIMIT', 0, most))
  local excess = redis.call('ZCARD', archived) - tonumber(size)
  if excess > 0 then
    remove(redis.call('ZRANGE', archived, 0, math.min(excess, most) - 1))
  end
end
