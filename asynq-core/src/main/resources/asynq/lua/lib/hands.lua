-- Part of other scripts: whether one task is in the hands of an attempt. Needs answers and fences.

-- The end of a task's lease, false if there is none.
local function score_of(lease, id)
  return ask('ZSCORE', lease, id) or false
end

-- Whether a task is, and has a hash of ours.
local function holds_hash(task, fence, score)
  local held, found = holds(task, fence, score)
  return held and found == HASH
end

-- Notes with the attempt that there are marks, which go with it.
local function tell_marks(task)
  local noted = redis.call('HGET', task, 'x-attempt')
  if string.find(noted, '@[^!]*$') then
    redis.call('HSET', task, 'x-attempt', noted .. '!')
  end
end
