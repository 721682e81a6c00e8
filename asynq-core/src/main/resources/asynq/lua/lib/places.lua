-- Part of other scripts: where an id of a queue stands. Keys that have the wrong type hold
-- nothing. prefix is that of all keys of the queue.
local SETS = {'scheduled', 'retry', 'archived', 'completed'}
local STATES = {pending = 1, active = 1, scheduled = 1, retry = 1, archived = 1, completed = 1, aggregating = 1}

local function listed(key, id)
  local found = redis.pcall('LPOS', key, id)
  return found and type(found) ~= 'table'
end

local function scored(key, id)
  local score = redis.pcall('ZSCORE', key, id)
  return type(score) == 'string' and score or nil
end

-- Where staged sets are noted whose tasks have been aggregated but not all been deleted yet.
local function aggregated(prefix)
  return 'asynqj:' .. string.sub(prefix, #'asynq:' + 1) .. 'aggregated'
end

-- The group that the first task of a group, or of a staged set, belongs to by its own word.
local function group_of_first(prefix, key)
  local id = redis.call('ZRANGE', key, 0, 0)[1]
  local group = id and redis.pcall('HGET', prefix .. 't:' .. id, 'group')
  return type(group) == 'string' and group or ''
end

-- Names of the containers that an id stands in, as they follow the prefix. Groups and staged
-- sets are looked at if they are those of the task's group, or where the id was seen.
local function containers_of(prefix, id, group, seen_in)
  local found = {}
  for _, name in ipairs({'pending', 'active'}) do
    if listed(prefix .. name, id) then
      found[#found + 1] = name
    end
  end
  for _, name in ipairs(SETS) do
    if scored(prefix .. name, id) then
      found[#found + 1] = name
    end
  end
  if group and group ~= '' then
    if scored(prefix .. 'g:' .. group, id) then
      found[#found + 1] = 'g:' .. group
    end
    local sets = prefix .. 'g:' .. group .. ':'
    for _, listing in ipairs({prefix .. 'aggregation_sets', aggregated(prefix)}) do
      local staged = redis.pcall('ZRANGE', listing, 0, 9999)
      for _, key in ipairs(staged.err and {} or staged) do
        if string.sub(key, 1, #sets) == sets and scored(key, id) then
          found[#found + 1] = string.sub(key, #prefix + 1)
        end
      end
    end
  end
  if seen_in and string.sub(seen_in, 1, 2) == 'g:' and scored(prefix .. seen_in, id) then
    local known = false
    for _, container in ipairs(found) do
      known = known or container == seen_in
    end
    if not known then
      found[#found + 1] = seen_in
    end
  end
  return found
end

local function length(key)
  local key_kind = kind(key)
  return key_kind == 'list' and redis.call('LLEN', key) or key_kind == 'zset' and redis.call('ZCARD', key) or 0
end

-- To find an id in a list all of it is looked through, and so it is with the list of staged sets.
local MOST_LOOKED_THROUGH = 200000
local looked_through = 0

-- Whether an id stands anywhere; nil, which is not known, when the script has looked through so
-- many others already. Where its task's state says is looked at first, if that costs little.
local function stands(prefix, id, state, group)
  local named = STATES[state] and (state == 'aggregating' and 'g:' .. (group or '') or state)
  if named and scored(prefix .. named, id) then
    return true
  elseif looked_through >= MOST_LOOKED_THROUGH then
    return nil
  end
  for _, name in ipairs({'pending', 'active', 'aggregation_sets'}) do
    looked_through = looked_through + length(prefix .. name)
  end
  return #containers_of(prefix, id, group) > 0
end

-- The state that a task in a container has.
local function state_in(container)
  return string.sub(container, 1, 2) == 'g:' and 'aggregating' or container
end
