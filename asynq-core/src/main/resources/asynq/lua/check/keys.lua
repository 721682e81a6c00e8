-- Looks at some of the keys of a queue, as SCAN gives them.
--
-- KEYS[1] pending  asynq:{queue}:pending; says where to scan
-- ARGV[1] cursor, "0" at first
-- ARGV[2] pattern of the queue's keys
-- ARGV[3] how many keys of the database to look at
-- ARGV[4] prefix of the queue's keys
-- ARGV[5] how long a message may be to be returned, bytes
--
-- Returns {next cursor, {…}, …}, one array for each key that is a task, a group, a lock, or has
-- the wrong type:
--   {"t", id, state, 1 where it should be, 0 not, 2 for pending; message or "", 1 if it was
--    short enough to be returned}
--   {"g", group or group:set, 1 if listed as a group, 1 if listed as a staged set; group that its
--    first task names, or ""}
--   {"u", lock, 1 if the task that holds it exists}
--   {"x", what follows the prefix, its type}
local TYPES = {pending = 'list', active = 'list', lease = 'zset', scheduled = 'zset', retry = 'zset',
  archived = 'zset', completed = 'zset', groups = 'set', aggregation_sets = 'zset', paused = 'string',
  processed = 'string', failed = 'string', t = 'hash', g = 'zset', unique = 'string'}
local prefix = ARGV[4]

local function in_place(id, state, group)
  if state == 'pending' then
    return 2
  elseif state == 'active' then
    return scored(prefix .. 'lease', id) and 1 or 0
  elseif state == 'aggregating' then
    return scored(prefix .. 'g:' .. (group or ''), id) and 1 or 0
  end
  return STATES[state or ''] and scored(prefix .. state, id) and 1 or 0
end

local function look_at_task(key, id)
  local task = redis.call('HMGET', key, 'state', 'group')
  local short = redis.call('HSTRLEN', key, 'msg') <= tonumber(ARGV[5])
  local message = short and redis.call('HGET', key, 'msg') or ''
  return {'t', id, task[1] or '', in_place(id, task[1], task[2]), message or '', short and 1 or 0}
end

local function flag(condition)
  return condition and type(condition) ~= 'table' and condition ~= 0 and 1 or 0
end

local page = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])
local answer = {page[1]}
for _, key in ipairs(page[2]) do
  local suffix = string.sub(key, #prefix + 1)
  local family, name = string.match(suffix, '^(%a+):(.*)$')
  local expected = TYPES[family or suffix]
  local actual = kind(key)
  if expected and actual ~= 'none' then
    if actual ~= expected then
      answer[#answer + 1] = {'x', suffix, actual}
    elseif family == 't' then
      answer[#answer + 1] = look_at_task(key, name)
    elseif family == 'g' then
      answer[#answer + 1] = {'g', name, flag(redis.pcall('SISMEMBER', prefix .. 'groups', name)),
        flag(scored(prefix .. 'aggregation_sets', key) or scored(aggregated(prefix), key)), group_of_first(prefix, key)}
    elseif family == 'unique' then
      answer[#answer + 1] = {'u', suffix, redis.call('EXISTS', prefix .. 't:' .. redis.call('GET', key))}
    end
  end
end
return answer
