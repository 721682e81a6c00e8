-- Part of other scripts: ends attempts, each by itself. Needs kinds, fences and actives.
-- KEYS[1] active   KEYS[2] lease
-- ARGV[1] prefix of task hashes

-- Ends the attempts that ARGV names from index first on, so many arguments each: id, fence, …. kinds
-- says what a task's key may be, act writes what is to be written for one that leaves: it gets
-- id, hash, index in ARGV, and who has made it a suspect. It begins with what Redis does also when
-- it has no memory left; then Redis does the rest as well.
--
-- Returns one code per task: 1 ended, 0 not active or in other hands, 2 to be sent again because
-- enough was looked at, -2 a key has the wrong type; the ids that have left.
local function end_each(first, step, usable, kinds, act)
  local codes, ids, ended, left = {}, {}, {}, {}
  for i = first, #ARGV, step do
    ids[#ids + 1] = ARGV[i]
  end
  local size = usable and measure(KEYS[1])
  local scores = size and ask('ZMSCORE', KEYS[2], unpack(ids))
  local together = size and #ids > 1 and size <= 2 * #ids
  for n, id in ipairs(ids) do
    local i, task = first + (n - 1) * step, ARGV[1] .. id
    local held, found, suspect
    if scores then
      held, found, suspect = holds(task, ARGV[i + 1], scores[n])
    end
    if not kinds[found] then
      codes[n] = -2
    elseif not held or left[id] then
      codes[n] = 0
    elseif not together and not leave(KEYS[1], id) then
      codes[n] = 2
    else
      left[id] = true
      ended[#ended + 1] = id
      act(id, task, i, suspect)
      codes[n] = 1
    end
  end
  if #ended > 0 then
    if together then
      leave_together(KEYS[1], left)
    end
    redis.call('ZREM', KEYS[2], unpack(ended))
  end
  return codes, ended
end
