-- Part of other scripts: whether a task is active and still in the hands of an attempt of ours, which
-- ends by score, the end of its lease, false for none. One whose hash is gone, or is no hash, cannot
-- have passed to another: it is active as long as it has a lease. Go leaves our fields in the hash of
-- a task that it takes over, but writes another end.
--
-- Returns whether it is, and whether the hash has our fields.
local function holds(task, fence, score)
  local fields = redis.pcall('HMGET', task, 'x-attempt', 'x-lease', 'state')
  if fields.err or not fields[1] and redis.call('EXISTS', task) == 0 then
    return score ~= false, false
  elseif fields[1] ~= fence or fields[3] and fields[3] ~= 'active' then
    return false, false
  end
  return not score or not fields[2] or tonumber(score) == tonumber(fields[2]), true
end

-- The end of a task's lease, false if there is none.
local function score_of(lease, id)
  local score = redis.pcall('ZSCORE', lease, id)
  return type(score) == 'string' and score
end
