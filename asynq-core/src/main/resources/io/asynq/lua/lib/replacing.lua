-- Part of other scripts: stores a task that may take the place of an archived one with its id. Needs store and
-- messages.

-- Like store, whose arguments it has; replaces is "1" if it may. The archived task and its lock are deleted only if the
-- new one is stored.
local function store_or_replace(state, id, message, at, group, lock, ttl, now, since, replaces, passes)
  local call, pcall = redis.call, redis.pcall
  local hashes, archived = PREFIX .. 't:', PREFIX .. 'archived'
  if replaces ~= '1' or pcall('HGET', hashes .. id, 'state') ~= 'archived'
      or type(pcall('ZSCORE', archived, id)) ~= 'string' then
    return store(state, id, message, at, group, lock, ttl, now, since, passes)
  end
  -- If the archived task holds the lock, it passes to the new one
  local function passes_too(held)
    return pcall('GET', held) == id or passes and passes(held)
  end
  local code = store(state, id, message, at, group, lock, ttl, now, since, passes_too)
  if code ~= 0 then return code end
  -- Only the id is in the way, if Redis does not refuse the life of the lock
  local refused = lock ~= '' and pcall('SET', lock, id, 'EX', ttl).err
  if refused then return string.find(refused, 'invalid expire', 1, true) and -3 or error(refused, 0) end
  call('ZREM', archived, id)
  delete_task(hashes, id)
  return store(state, id, message, at, group, lock, ttl, now, since, passes_too)
end
