-- Part of other scripts: whether an id is in any container. Needs where.

-- Lists are searched from end to end, and so is the list of staged sets.
local MOST_LOOKED_THROUGH = 200000
local looked_through = 0

-- Returns nil for unknown when the script has looked at too many entries already. The container of the task's state is
-- looked at first if that is cheap.
local function stands(id, state, group)
  local named = container_of(state, group)
  if named and type_of(named) == 'zset' and scored(PREFIX .. named, id) then
    return true
  elseif looked_through >= MOST_LOOKED_THROUGH then
    return nil
  end
  for _, name in ipairs({'pending', 'active', 'aggregation_sets'}) do
    looked_through = looked_through + size(PREFIX .. name)
  end
  return #containers_of(id, group) > 0
end
