-- Moves tasks on request, each by itself.
-- KEYS pending, scheduled, retry, archived, completed, groups
-- ARGV[1] to ARGV[6] see acts; [7…] task ids
-- Returns two for each task: 1 done, 0 no such task, -1 it is active, or where it would go, -2 a key has the wrong
-- type, -3 it is not in the container of its state; the state it had or "". Tasks at the end are left out, and must be
-- sent again, when the look limit was reached in a long list.

local answer, usable = {}, not TARGET or fits(ARGV[1] .. TARGET, type_of(TARGET))

local function move(id)
  local task_kind = kind(HASHES .. id)
  if task_kind == 'none' then
    return 0, ''
  elseif task_kind ~= 'hash' or not usable then
    return -2, ''
  end
  local fields = redis.call('HMGET', HASHES .. id, 'state', 'group')
  local state = fields[1] or ''
  if state == 'active' or state == TARGET then
    return -1, state
  elseif state == 'pending' then
    looked_at = looked_at + size(KEYS[1], 'list')
  end
  if not leave_container(id, state, fields[2]) then return -3, state end
  act(id)
  return 1, state
end

for i = 7, #ARGV do
  if looked_at >= MOST_LOOKED_AT then break end
  answer[#answer + 1], answer[#answer + 2] = move(ARGV[i])
end
arrive()
return answer
