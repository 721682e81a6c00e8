-- Part of other scripts: ends attempts, each by itself. Needs answers, fences, looks and actives.
-- KEYS[1] active   KEYS[2] lease
-- ARGV[1] prefix of task hashes

-- Ends the attempts that ARGV names from index first on, so many arguments each: id, fence, …. A
-- task's key may be as far from a hash as most says. act writes what is to be written for one that
-- leaves: it gets id, hash, index in ARGV, and whether there may be marks. It begins with what Redis
-- does also when it has no memory left; then Redis does the rest as well.
--
-- Returns one code per task: 1 ended, 0 not active or in other hands, 2 to be sent again because
-- enough was looked at, -2 a key has the wrong type; the ids that have left.
local function end_each(first, step, usable, most, act)
  -- A table that grows costs more than what is in it: outcomes often come alone
  local codes, ids, ended, left, many = {}, {ARGV[first]}, {}, {}, 1
  for i = first + step, #ARGV, step do
    many = many + 1
    ids[many] = ARGV[i]
  end
  active_size = usable and ask('LLEN', KEYS[1])
  local scores = nil
  if active_size and many == 1 then
    local score = ask('ZSCORE', KEYS[2], ids[1])
    scores = score ~= nil and {score}
  elseif active_size then
    scores = ask('ZMSCORE', KEYS[2], unpack(ids))
  end
  -- Most of the list leaves: what stays is written anew
  local together = active_size and many > 1 and active_size <= 2 * many
  for n = 1, many do
    local id, i = ids[n], first + (n - 1) * step
    local task = ARGV[1] .. id
    local held, found, marked
    if scores then
      held, found, marked = holds(task, ARGV[i + 1], scores[n])
    end
    if not found or found > most then
      codes[n] = -2
    elseif not held or left[id] then
      codes[n] = 0
    elseif not together and not leave(KEYS[1], id) then
      codes[n] = 2
    else
      left[id] = true
      ended[#ended + 1] = id
      act(id, task, i, marked)
      codes[n] = 1
    end
  end
  if #ended > 0 and together then
    local stay = {}
    for _, id in ipairs(redis.call('LRANGE', KEYS[1], '0', '-1')) do
      stay[#stay + 1] = not left[id] and id or nil
    end
    redis.call('DEL', KEYS[1])
    if #stay > 0 then
      redis.call('RPUSH', KEYS[1], unpack(stay))
    end
  end
  if #ended > 0 then
    redis.call('ZREM', KEYS[2], unpack(ended))
  end
  return codes, ended
end
