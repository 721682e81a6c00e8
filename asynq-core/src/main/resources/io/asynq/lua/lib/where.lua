-- Part of other scripts: where an id is, what is wrong with that, and its right container. Keys of the wrong type count
-- as empty. The scripts have
-- ARGV[1] prefix of the queue's keys; [2] prefix of our own keys of the queue
-- Needs kinds, place and sizes.
local PREFIX, OWN = ARGV[1], ARGV[2]
local IN_ORDER = {'pending', 'active', 'scheduled', 'retry', 'archived', 'completed'}

-- The second lists staged sets that are aggregated but not completely deleted yet.
local LISTINGS = {PREFIX .. 'aggregation_sets', OWN .. 'aggregated'}

local function state_in(container)
  return TYPES[container] and container or 'aggregating'
end

local function scored(key, id)
  local score = redis.pcall('ZSCORE', key, id)
  return type(score) == 'string' and score or nil
end

local function is_in(container, id)
  if type_of(container) == 'list' then return type(redis.pcall('LPOS', PREFIX .. container, id)) == 'number' end
  return scored(PREFIX .. container, id)
end

local function group_of_first(key)
  local id = redis.call('ZRANGE', key, 0, 0)[1]
  local group = id and redis.pcall('HGET', PREFIX .. 't:' .. id, 'group')
  return type(group) == 'string' and group or ''
end

-- The containers of an id. Only groups and staged sets of the task's group, or where the id was seen, are looked at.
local function containers_of(id, group, seen_in)
  local found, looked = {}, {}
  local function look(container)
    if not looked[container] and is_in(container, id) then
      found[#found + 1] = container
    end
    looked[container] = true
  end
  for _, container in ipairs(IN_ORDER) do
    look(container)
  end
  if group and group ~= '' then
    look('g:' .. group)
    local sets = PREFIX .. 'g:' .. group .. ':'
    for _, listing in ipairs(LISTINGS) do
      local staged = redis.pcall('ZRANGE', listing, 0, 9999)
      for _, key in ipairs(staged.err and {} or staged) do
        if string.sub(key, 1, #sets) == sets then
          look(string.sub(key, #PREFIX + 1))
        end
      end
    end
  end
  if seen_in and string.sub(seen_in, 1, 2) == 'g:' then
    look(seen_in)
  end
  return found
end

-- The right container: that of its state if the id is there, else where the id is, else that of its state or, without a
-- valid state, the archive. An id without a task has none.
local function right_place(at)
  local right = at.containers[1]
  for _, container in ipairs(at.containers) do
    if state_in(container) == at.state then
      right = container
    end
  end
  if at.kind ~= 'hash' or right then
    return at.kind == 'hash' and right
  elseif at.state == 'aggregating' and at.group == '' then
    return 'pending'
  end
  return container_of(at.state, at.group) or 'archived'
end

-- All that is known of an id, with what is wrong: kinds of inconsistency.
local function whereabouts(id, seen_in)
  local at = {task = PREFIX .. 't:' .. id, wrong = {}}
  at.kind = kind(at.task)
  local fields = at.kind == 'hash' and redis.call('HMGET', at.task, 'state', 'group') or {}
  at.state, at.group, at.leased = fields[1] or '', fields[2] or '', scored(PREFIX .. 'lease', id)
  at.containers = containers_of(id, at.group, seen_in)
  at.right = right_place(at)
  local many, active = #at.containers, false
  for _, container in ipairs(at.containers) do
    active = active or container == 'active'
  end
  local function note(kind_of_wrong, is_so)
    at.wrong[#at.wrong + 1] = is_so and kind_of_wrong or nil
  end
  note('id_without_task', at.kind ~= 'hash' and (many > 0 or at.leased))
  if at.kind == 'hash' then
    note('task_without_container', many == 0)
    note('in_two_containers', many > 1)
    note('wrong_state', many == 1 and at.state ~= state_in(at.right))
    note('active_without_lease', active and not at.leased)
    note('lease_without_active', at.leased and not active and many > 0)
  end
  return at
end
