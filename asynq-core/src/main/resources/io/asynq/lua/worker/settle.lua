-- Archives or deletes those cancelled tasks whose attempt has ended in waiting, as Go's attempts do, and forgets those
-- that are over. Active ones stay listed.
-- KEYS cancelled, archived
-- ARGV[1] to ARGV[4] see wishes; [5] cursor, "0" at first; [6] one more id, or ""
-- Returns {next cursor, "0" at the end; how many were archived or deleted}.
local granted = 0

local function is_settled(id)
  local task = HASHES .. id
  if kind(task) ~= 'hash' then return true end
  local fields = redis.call('HMGET', task, 'x-cancel', 'state', 'group')
  local wish, state = fields[1], fields[2]
  if not wish or state == 'active' then
    return not wish
  elseif state == 'completed' or state == 'archived' and wish ~= 'delete' then
    return redis.call('HDEL', task, 'x-cancel') == 1
  end
  -- It may be pending in spite of its state, where it would be in the way
  local done = grant(id, wish, state, fields[3]) or grant(id, wish, 'pending')
  granted = granted + (done and 1 or 0)
  return done
end

if ARGV[6] ~= '' then
  is_settled(ARGV[6])
end
local slice = redis.call('SSCAN', KEYS[1], ARGV[5], 'COUNT', 100)
for _, id in ipairs(slice[2]) do
  if is_settled(id) then
    redis.call('SREM', KEYS[1], id)
  end
end
archive_granted()
return {slice[1], granted}
