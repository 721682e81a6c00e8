-- Part of other scripts: whether an attempt holds a task. Needs answers and fences.

-- The end of a task's lease, false if there is none.
local function score_of(lease, id)
  return ask('ZSCORE', lease, id) or false
end

local function holds_hash(task, fence, score)
  local held, found = holds(task, fence, score)
  return held and found == HASH
end

local function tell_marks(task)
  local noted = redis.call('HGET', task, 'x-attempt')
  if string.find(noted, '@[^!]*$') then
    redis.call('HSET', task, 'x-attempt', noted .. '!')
  end
end
