-- Deletes what is left of a queue among some of the database's keys. What is used by tasks that
-- have come meanwhile stays. When they are many, so may tasks that stand nowhere: to tell them
-- apart would hold Redis up, and a repair can do it.
--
-- KEYS[1] pending  asynq:{queue}:pending; says where to scan
-- ARGV[1] cursor, "0" at first
-- ARGV[2] pattern of the keys, those of the queue or our own
-- ARGV[3] how many keys of the database to look at
-- ARGV[4] prefix of the queue's keys
-- ARGV[5] prefix of containers that were put out of reach
-- ARGV[6] "1" to delete, "0" only to look for groups and containers
--
-- Returns {next cursor, container, its number of ids, …}: groups, staged sets, and containers that
-- were put out of reach. They stay, as their tasks are to be deleted first, and so does the set of
-- what is out of reach, which goes with the last of them. Until then no task goes here: it may be one
-- of another deletion, and its id would be free before that has come to it.
local LIVE = {pending = 'list', active = 'list', lease = 'zset', scheduled = 'zset', retry = 'zset',
  archived = 'zset', completed = 'zset', groups = 'set', aggregation_sets = 'zset'}
local prefix, deletes = ARGV[4], ARGV[6] == '1'
local answer = {}

local function is_used(key, suffix)
  local family, name = string.match(suffix, '^(%a+):(.*)$')
  if family == 't' and kind(key) == 'hash' then
    local fields = redis.call('HMGET', key, 'state', 'group')
    if redis.call('EXISTS', string.sub(ARGV[5], 1, -2)) == 1 or stands(prefix, name, fields[1], fields[2]) ~= false then
      return true
    end
    delete_task(prefix .. 't:', name)
    return false
  elseif family == 'unique' then
    local holder = redis.pcall('GET', key)
    return type(holder) == 'string' and redis.call('EXISTS', prefix .. 't:' .. holder) == 1
  end
  return LIVE[suffix] and LIVE[suffix] == kind(key)
end

local function is_drained_first(key, suffix)
  local key_kind = kind(key)
  if suffix then
    return string.sub(suffix, 1, 2) == 'g:' and key_kind == 'zset'
  end
  return string.sub(key, 1, #ARGV[5]) == ARGV[5] and (key_kind == 'zset' or key_kind == 'list')
end

local function look_at(key)
  -- Our own keys begin otherwise
  local suffix = string.sub(key, 1, #prefix) == prefix and string.sub(key, #prefix + 1) or nil
  if is_drained_first(key, suffix) then
    answer[#answer + 1] = key
    answer[#answer + 1] = redis.call(kind(key) == 'zset' and 'ZCARD' or 'LLEN', key)
  elseif deletes and not (suffix and is_used(key, suffix)) and key .. ':' ~= ARGV[5] then
    redis.call('UNLINK', key)
  end
end

local page = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])
for _, key in ipairs(page[2]) do
  look_at(key)
end
table.insert(answer, 1, page[1])
return answer
