-- Part of other scripts: ends attempts, each by itself. They answer one code per task: 1 ended, 0 not active or not
-- held, 2 to be sent again because the look limit was reached, 4 or 5 it is cancelled, and is to be archived or deleted
-- instead, -2 a key has the wrong type. Their keys and arguments begin with
-- KEYS[1] active   KEYS[2] lease
-- ARGV[1] prefix of task hashes
-- and those of scripts that count, whose last keys are the totals processed and, for failures, failed, with
-- ARGV[2] life of the day counters, s; [3] limit of the totals; [4] present time
-- Needs answers, fences and active.

local function is_among(ids, n, id)
  for i = 1, n do
    if ids[i] == id then return true end
  end
  return false
end

local function leave_together(active, ended)
  local gone, listed, stay = {}, redis.call('LRANGE', active, '0', '-1'), 0
  for i = 1, #ended do
    gone[ended[i]] = true
  end
  for i = 1, #listed do
    if not gone[listed[i]] then
      stay = stay + 1
      listed[stay] = listed[i]
    end
  end
  redis.call('DEL', active)
  if stay > 0 then
    redis.call('RPUSH', active, unpack(listed, 1, stay))
  end
end

-- Ends the attempts in ARGV from index first on, step arguments each: id, fence, …. most is HASH, NONE or OTHER: what a
-- task's key may be at worst. act writes what is specific to the outcome; it gets id, hash, index in ARGV, and whether
-- there may be marks. It begins with a command that Redis executes even when it is out of memory; then Redis executes
-- the rest too. is_held, if given, replaces holds; it may answer 4 or 5.
-- Returns the codes; the ids that have left.
local function end_each(first, step, usable, most, act, is_held)
  local prefix, many = ARGV[1], (#ARGV - first + 1) / step
  -- Growing a table costs more than filling it: this one is presized, and holds the ids first
  local codes = {unpack(ARGV, first, first + many - 1)}
  for n = 2, many do
    codes[n] = ARGV[first + (n - 1) * step]
  end
  active_size = usable and ask('LLEN', KEYS[1])
  local scores = active_size and ask('ZMSCORE', KEYS[2], unpack(codes))
  local together = active_size and active_size <= 2 * many - 4
  local ended, left = scores or {}, 0
  is_held = is_held or holds
  for n = 1, many do
    local id, i = codes[n], first + (n - 1) * step
    local task = prefix .. id
    local held, found, marked
    if scores then
      held, found, marked = is_held(task, ARGV[i + 1], scores[n], i)
    end
    if not found or found > most then
      codes[n] = -2
    elseif not held or found ~= HASH and is_among(ended, left, id) then
      codes[n] = 0
    elseif held ~= true then
      codes[n] = held
    elseif not together and not leave(KEYS[1], id) then
      codes[n] = 2
    else
      left = left + 1
      ended[left] = id
      act(id, task, i, marked)
      codes[n] = 1
    end
  end
  for n = left + 1, many do
    ended[n] = nil
  end
  if left > 0 then
    redis.call('ZREM', KEYS[2], unpack(ended))
    if together then
      leave_together(KEYS[1], ended)
    end
  end
  return codes, ended
end
