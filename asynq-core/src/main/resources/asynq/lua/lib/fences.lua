-- Part of other scripts: whether a task is active and still in the hands of an attempt of ours, which
-- ends by score, the end of its lease, false for none. One whose hash is gone, or is no hash, cannot
-- have passed to another: it is active as long as it has a lease. Go leaves our fields in the hash of
-- a task that it takes over, but writes another end. Needs kinds.
--
-- Returns whether it is; what its key is: "hash", "none" or "other"; of a hash that is held, who has
-- made it a suspect.
local function holds(task, fence, score)
  local fields = ask('HMGET', task, 'x-attempt', 'x-lease', 'state', 'x-suspect')
  if not fields then
    return score ~= false, 'other'
  elseif not fields[1] and redis.call('EXISTS', task) == 0 then
    return score ~= false, 'none'
  elseif fields[1] ~= fence or fields[3] and fields[3] ~= 'active' then
    return false, 'hash'
  end
  local ours = not score or not fields[2] or score == fields[2] or tonumber(score) == tonumber(fields[2])
  return ours, 'hash', fields[4]
end

-- Whether a task is, and has a hash of ours.
local function holds_hash(task, fence, score)
  local held, found = holds(task, fence, score)
  return held and found == 'hash'
end

-- The end of a task's lease, false if there is none.
local function score_of(lease, id)
  return ask('ZSCORE', lease, id) or false
end
