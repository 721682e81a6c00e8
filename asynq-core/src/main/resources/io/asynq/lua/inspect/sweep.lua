-- Deletes what is left of a queue among some of the database's keys. What belongs to newly enqueued tasks stays. If
-- these are many, tasks in no container may stay too: to find them would block Redis, and a repair can do it.
-- KEYS pending; says where to scan
-- ARGV[1] prefix of the queue's keys; [2] prefix of our own keys of the queue; [3] cursor, "0" at first; [4] pattern of
-- the keys, those of the queue or our own; [5] how many keys of the database to look at; [6] "1" to delete, "0" only to
-- look for groups and containers
-- Returns {next cursor, container, its number of ids, …}: groups, staged sets, and containers that were put out of
-- reach. They stay until their tasks are deleted, and so does the set that lists them. Until then no task is deleted
-- here: it may belong to another deletion, which would then find its id used by a new task.
local LIVE = {lease = 'zset', groups = 'set', aggregation_sets = 'zset'}
local DELETED, deletes, answer = OWN .. 'deleted', ARGV[6] == '1', {}

local function is_used(key, suffix)
  local family, name = string.match(suffix, '^(%a+):(.*)$')
  if family == 't' and kind(key) == 'hash' then
    local fields = redis.call('HMGET', key, 'state', 'group')
    if redis.call('EXISTS', DELETED) == 1 or stands(name, fields[1], fields[2]) ~= false then return true end
    delete_task(PREFIX .. 't:', name)
    return false
  elseif family == 'unique' then
    local holder = redis.pcall('GET', key)
    return type(holder) == 'string' and redis.call('EXISTS', PREFIX .. 't:' .. holder) == 1
  end
  local expected = TYPES[suffix] or LIVE[suffix]
  return expected and expected == kind(key)
end

local function is_drained_first(key, suffix)
  if suffix then return string.sub(suffix, 1, 2) == 'g:' and kind(key) == 'zset' end
  return string.sub(key, 1, #DELETED + 1) == DELETED .. ':' and SIZES[kind(key)]
end

local page = redis.call('SCAN', ARGV[3], 'MATCH', ARGV[4], 'COUNT', ARGV[5])
for _, key in ipairs(page[2]) do
  -- Our own keys begin otherwise
  local suffix = string.sub(key, 1, #PREFIX) == PREFIX and string.sub(key, #PREFIX + 1) or nil
  if is_drained_first(key, suffix) then
    answer[#answer + 1], answer[#answer + 2] = key, size(key)
  elseif deletes and not (suffix and is_used(key, suffix)) and key ~= DELETED then
    redis.call('UNLINK', key)
  end
end
table.insert(answer, 1, page[1])
return answer
