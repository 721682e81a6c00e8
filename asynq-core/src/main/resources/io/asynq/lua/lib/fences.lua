-- Part of other scripts: whether an attempt of ours still holds a task. score is the end of the task's lease, false for
-- none. x-attempt is "<fence>@<end of the lease>", with "!" after it when there are marks. Go keeps it in the hash of a
-- task that it takes over but writes another end, so an attempt is identified by both; without a lease, the state
-- decides. A task whose hash is gone, or is no hash, cannot have been taken over: it is active as long as it has a
-- lease. Needs answers.
local HASH, NONE, OTHER = 1, 2, 3

-- Returns whether it does; what the key is; whether there may be marks.
local function holds(task, fence, score)
  local noted = redis.pcall('HGET', task, 'x-attempt')
  if score and noted == fence .. '@' .. score then
    return true, HASH, false
  elseif type(noted) == 'table' and not ask('HGET', task, 'x-attempt') then
    return score ~= false, OTHER, true
  elseif noted then
    local holder, ends, mark = string.match(noted, '^(.*)@([^!]*)(!?)$')
    local state = redis.call('HGET', task, 'state')
    local same_end = not score or not ends or tonumber(ends) == tonumber(score)
    return (holder or noted) == fence and same_end and (not state or state == 'active'), HASH, mark ~= ''
  elseif redis.call('EXISTS', task) == 1 then
    return false, HASH, true
  end
  return score ~= false, NONE, true
end
