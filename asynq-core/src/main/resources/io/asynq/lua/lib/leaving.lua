-- Part of other scripts: the way out of the containers of tasks that are not active. ARGV[1] is the prefix of the
-- queue's keys. Needs place.

-- Takes an id out of the container that its task's state names; false if it is not there.
local function leave_container(id, state, group)
  local container = state ~= 'active' and container_of(state, group)
  if not container then return false end
  local key = ARGV[1] .. container
  local left = type_of(container) == 'list' and redis.pcall('LREM', key, 0, id) or redis.pcall('ZREM', key, id)
  if type(left) ~= 'number' or left == 0 then
    return false
  elseif state == 'aggregating' and redis.call('EXISTS', key) == 0 then
    redis.pcall('SREM', ARGV[1] .. 'groups', group)
  end
  return true
end
