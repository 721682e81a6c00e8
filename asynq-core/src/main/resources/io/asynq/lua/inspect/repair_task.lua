-- Repairs an id, if it is still wrong. Nothing is counted.
-- KEYS active
-- ARGV[1] prefix of the queue's keys
-- ARGV[2] prefix of our own keys of the queue
-- ARGV[3] task id
-- ARGV[4] what is wrong: a kind of inconsistency
-- ARGV[5] present time
-- ARGV[6] container, where the kind needs one
-- Returns 1 repaired, 0 nothing to repair, or a key that must be written has the wrong type.
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
  if not fits(PREFIX .. 'lease', 'zset') then
    return 0
  end
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
  if not score or string.match(score, '^%-?%d+$') then
    return 0
  end
  local number = math.max(0, math.min(math.floor(tonumber(score) or 0), 253402300799))
  redis.call('ZADD', key, 'XX', string.format('%.0f', number), id)
  return 1
end

if entry_repairs[wrong] then
  return entry_repairs[wrong](PREFIX .. ARGV[6])
end
local at = whereabouts(id, ARGV[6])
local is_so = wrong == 'undecodable' and at.kind == 'hash'
  and not (at.state == 'archived' and #at.containers == 1 and at.containers[1] == 'archived')
for _, found in ipairs(at.wrong) do
  is_so = is_so or found == wrong
end
return is_so and repairs[wrong](at) or 0
