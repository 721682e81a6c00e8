-- Part of other scripts: moves tasks by hand, each by itself. The scripts have
-- KEYS[1] pending   KEYS[2] scheduled  KEYS[3] retry
-- KEYS[4] archived  KEYS[5] completed  KEYS[6] groups
-- ARGV[1] prefix of task hashes
-- ARGV[2] prefix of groups
local SORTED = {scheduled = KEYS[2], retry = KEYS[3], archived = KEYS[4], completed = KEYS[5]}

-- Takes an id out of the container that its task's state names; false if it is not there.
local function leave(id, state, group)
  if state == 'pending' then
    local removed = redis.pcall('LREM', KEYS[1], 0, id)
    return type(removed) == 'number' and removed > 0
  elseif state == 'aggregating' then
    local key = ARGV[2] .. (group or '')
    if redis.pcall('ZREM', key, id) ~= 1 then
      return false
    end
    if redis.call('EXISTS', key) == 0 then
      redis.pcall('SREM', KEYS[6], group)
    end
    return true
  end
  return SORTED[state] and redis.pcall('ZREM', SORTED[state], id) == 1
end

-- A pending id is looked for in the whole list: a script ends when it has looked at so many.
local MOST_LOOKED_AT = 200000

-- Moves the tasks that ARGV names from index first on; act gets those that have left. Returns two
-- for each task: 1 moved, 0 no such task, -1 refused in its state, -2 a key has the wrong type,
-- -3 it does not stand where its state says; its state or "". Tasks at the end are left out, and
-- are to be asked for again, when many had to be looked for in a long list.
local function move_each(first, refused, usable, act)
  local answer, looked_at = {}, 0
  for i = first, #ARGV do
    if looked_at >= MOST_LOOKED_AT then
      break
    end
    local id, code, state = ARGV[i], 1, ''
    local task_kind = kind(ARGV[1] .. id)
    if task_kind == 'none' then
      code = 0
    elseif task_kind ~= 'hash' or not usable then
      code = -2
    else
      local fields = redis.call('HMGET', ARGV[1] .. id, 'state', 'group')
      state = fields[1] or ''
      if state == 'pending' and not refused.pending and kind(KEYS[1]) == 'list' then
        looked_at = looked_at + redis.call('LLEN', KEYS[1])
      end
      if refused[state] then
        code = -1
      elseif leave(id, state, fields[2]) then
        act(id)
      else
        code = -3
      end
    end
    answer[#answer + 1] = code
    answer[#answer + 1] = state
  end
  return answer
end
