-- Part of other scripts: the attempt at a cancelled task does not end in waiting. x-cancel of a task says what becomes
-- of it: "archive" or "delete". Whoever sets it marks the attempt in x-attempt too. Needs fences.

-- Like holds, but 4 or 5 instead of true if the task is to be archived or deleted.
local function holds_to_wait(task, fence, score)
  local held, found, marked = holds(task, fence, score)
  local wish = held and marked and found == HASH and redis.call('HGET', task, 'x-cancel')
  if wish then
    held = wish == 'delete' and 5 or 4
  end
  return held, found, marked
end
