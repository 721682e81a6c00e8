-- Part of other scripts: the only table of states: which container a state's tasks are in, and its type. A container is
-- named by what follows the prefix of the queue's keys.
local TYPES = {
  pending = 'list', active = 'list', scheduled = 'zset', retry = 'zset', archived = 'zset', completed = 'zset'
}

local function container_of(state, group)
  return state == 'aggregating' and 'g:' .. (group or '') or TYPES[state] and state
end

-- The type of a container; groups and staged sets begin with "g:".
local function type_of(container)
  return TYPES[container] or 'zset'
end
