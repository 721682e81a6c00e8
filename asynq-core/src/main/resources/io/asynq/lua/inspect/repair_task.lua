-- Repairs an id, if it is still wrong. Nothing is counted.
-- KEYS active
-- ARGV[1] prefix of the queue's keys; [2] prefix of our own keys of the queue; [3] task id; [4] what is wrong: a kind
-- of inconsistency; [5] present time; [6] container, where the kind needs one
-- Returns 1 repaired, 0 nothing to repair, or a key that must be written has the wrong type.
local function take_out(id, container)
  if type_of(container) == 'list' then
    redis.call('LREM', PREFIX .. container, 0, id)
  else
    redis.call('ZREM', PREFIX .. container, id)
  end
  if container == 'active' then
    redis.pcall('ZREM', PREFIX .. 'lease', id)
  end
end

local function may_hold(container)
  return fits(PREFIX .. container, type_of(container))
    and (type_of(container) ~= 'list' or fits(PREFIX .. 'lease', 'zset'))
    and (state_in(container) ~= 'aggregating' or fits(PREFIX .. 'groups', 'set'))
end

local function give_lease(id, task, now)
  redis.call('ZADD', PREFIX .. 'lease', now, id)
  note_lease(task, now)
end

-- Scheduled and retry tasks are due now, completed ones expired: their own times are unknown.
local function put_into(id, task, container, now, now_ns)
  if type_of(container) == 'list' then
    redis.call('LPUSH', PREFIX .. container, id)
  else
    redis.call('ZADD', PREFIX .. container, now, id)
  end
  if container == 'active' then
    give_lease(id, task, now)
  elseif container == 'pending' then
    redis.call('HSET', task, 'pending_since', now_ns)
  elseif state_in(container) == 'aggregating' then
    redis.call('SADD', PREFIX .. 'groups', string.sub(container, 3))
  end
end

-- Puts an id into its right container and removes it from all others; from all, if it has none. Returns 1, 0 when a key
-- that must be written has the wrong type.
local function settle(id, at, now, now_ns)
  local stands = false
  for _, container in ipairs(at.containers) do
    stands = stands or container == at.right
  end
  if at.right and not stands and not may_hold(at.right) then return 0 end
  for _, container in ipairs(at.containers) do
    if container ~= at.right then
      take_out(id, container)
    end
  end
  if not at.right then
    redis.pcall('ZREM', PREFIX .. 'lease', id)
    return 1
  elseif not stands then
    put_into(id, at.task, at.right, now, now_ns)
  end
  redis.call('HSET', at.task, 'state', state_in(at.right))
  return 1
end

local id, wrong = ARGV[3], ARGV[4]
local now, now_ns = present(ARGV[5])
local repairs = {}

local function settle_where_it_belongs(at)
  return settle(id, at, now, now_ns)
end
repairs.id_without_task = settle_where_it_belongs
repairs.in_two_containers = settle_where_it_belongs
repairs.wrong_state = settle_where_it_belongs

function repairs.task_without_container(at)
  if kind(OWN .. 'deleted') == 'set' then
    -- A deletion of the queue, perhaps an interrupted one, will still delete it
    return 0
  elseif at.state == '' and redis.call('HSTRLEN', at.task, 'msg') == 0 then
    -- Left by a result that was written to a deleted task
    return redis.call('DEL', at.task)
  end
  return settle_where_it_belongs(at)
end

function repairs.undecodable(at)
  at.right = 'archived'
  return (#at.containers == 0 and repairs.task_without_container or settle_where_it_belongs)(at)
end

function repairs.active_without_lease(at)
  if not fits(PREFIX .. 'lease', 'zset') then return 0 end
  give_lease(id, at.task, now)
  return 1
end

function repairs.lease_without_active()
  return redis.call('ZREM', PREFIX .. 'lease', id)
end

local entry_repairs = {}

function entry_repairs.double_entry(key)
  local found = kind(key) == 'list' and #redis.call('LPOS', key, id, 'COUNT', 0) or 0
  return found > 1 and redis.call('LREM', key, found - 1, id) and 1 or 0
end

function entry_repairs.fractional_score(key)
  local score = scored(key, id)
  if not score or string.match(score, '^%-?%d+$') then return 0 end
  local number = math.max(0, math.min(math.floor(tonumber(score) or 0), 253402300799))
  redis.call('ZADD', key, 'XX', string.format('%.0f', number), id)
  return 1
end

if entry_repairs[wrong] then return entry_repairs[wrong](PREFIX .. ARGV[6]) end
local at = whereabouts(id, ARGV[6])
local is_so = wrong == 'undecodable' and at.kind == 'hash'
  and not (at.state == 'archived' and #at.containers == 1 and at.containers[1] == 'archived')
for _, found in ipairs(at.wrong) do
  is_so = is_so or found == wrong
end
return is_so and repairs[wrong](at) or 0
