-- Checks some of the keys of a queue, as SCAN returns them.
-- KEYS pending; says where to scan
-- ARGV[1] prefix of the queue's keys; [2] prefix of our own keys of the queue; [3] cursor, "0" at first; [4] pattern of
-- the queue's keys; [5] how many keys of the database to scan; [6] size limit of returned messages, bytes
-- Returns {next cursor, {…}, …}, one array for each key that is a task, a group, a lock, or has the wrong type:
--   {"t", id, state, 1 where it should be, 0 not, 2 for pending; message or "", 1 if it was short enough
--    to be returned}
--   {"g", group or group:set, 1 if listed as a group, 1 if listed as a staged set; group that its
--    first task names, or ""}
--   {"u", lock, 1 if the task that holds it exists}
--   {"x", what follows the prefix, its type}
local OTHERS = {lease = 'zset', groups = 'set', aggregation_sets = 'zset', paused = 'string', processed = 'string',
  failed = 'string', t = 'hash', g = 'zset', unique = 'string'}

local function in_place(id, state, group)
  if state == 'pending' then return 2 end
  local container = container_of(state, group)
  return container and scored(PREFIX .. (state == 'active' and 'lease' or container), id) and 1 or 0
end

local function flag(condition)
  return condition and type(condition) ~= 'table' and condition ~= 0 and 1 or 0
end

local looks = {}

function looks.t(key, id)
  local task = redis.call('HMGET', key, 'state', 'group')
  local short = redis.call('HSTRLEN', key, 'msg') <= tonumber(ARGV[6])
  local message = short and redis.call('HGET', key, 'msg') or ''
  return {'t', id, task[1] or '', in_place(id, task[1], task[2]), message or '', flag(short)}
end

function looks.g(key, name)
  return {'g', name, flag(redis.pcall('SISMEMBER', PREFIX .. 'groups', name)),
    flag(scored(LISTINGS[1], key) or scored(LISTINGS[2], key)), group_of_first(key)}
end

function looks.unique(key, name)
  return {'u', 'unique:' .. name, redis.call('EXISTS', PREFIX .. 't:' .. redis.call('GET', key))}
end

local page = redis.call('SCAN', ARGV[3], 'MATCH', ARGV[4], 'COUNT', ARGV[5])
local answer = {page[1]}
for _, key in ipairs(page[2]) do
  local suffix = string.sub(key, #PREFIX + 1)
  local family, name = string.match(suffix, '^(%a+):(.*)$')
  local expected, actual = TYPES[family or suffix] or OTHERS[family or suffix], kind(key)
  if expected and actual ~= 'none' and actual ~= expected then
    answer[#answer + 1] = {'x', suffix, actual}
  elseif expected and actual ~= 'none' and looks[family] then
    answer[#answer + 1] = looks[family](key, name)
  end
end
return answer
