-- Finds out which commands the current user may not run, because Redis does not say which one it refuses within a
-- script. Leaves nothing behind.
-- KEYS an unused key of ours; one among asynq's, to be refused as a whole without the right to such keys
-- ARGV[1] channel of cancellations; ARGV[2…] names of commands
-- Returns those that the user may not run.
local arguments = {
  DEL = {}, EXISTS = {}, EXPIRE = {1}, EXPIREAT = {1}, GET = {}, HDEL = {'a'}, HGET = {'a'},
  HINCRBY = {'a', 1}, HKEYS = {}, HLEN = {}, HMGET = {'a'}, HSCAN = {0}, HSET = {'a', 'b'}, HSTRLEN = {'a'}, HVALS = {}, INCRBY = {1}, LINDEX = {0}, LLEN = {},
  LPOS = {'a'}, LPUSH = {'a'}, LRANGE = {0, 0}, LREM = {1, 'a'}, LTRIM = {0, 0}, MEMORY = {},
  PUBLISH = {}, RENAMENX = {KEYS[1]}, RPUSH = {'a'}, SADD = {'a'}, SCAN = {}, SCARD = {}, SET = {'a'}, SETEX = {1, 'a'},
  SMEMBERS = {}, SISMEMBER = {'a'}, SREM = {'a'}, SSCAN = {0}, TIME = {}, TYPE = {}, UNLINK = {},
  ZADD = {1, 'a'}, ZCARD = {}, ZCOUNT = {0, 0}, ZMSCORE = {'a'}, ZRANGE = {0, 0}, ZRANGEBYSCORE = {0, 0}, ZREM = {'a'},
  ZSCAN = {0}, ZSCORE = {'a'}, ZRANGESTORE = {KEYS[1], 0, -1},
  ZREMRANGEBYRANK = {0, 0}, ZREMRANGEBYSCORE = {0, 0}
}
-- The channel of cancellations gets the id of no task, a channel like ours has no listeners.
local function may_publish()
  return type(redis.pcall('PUBLISH', ARGV[1], KEYS[1])) == 'number'
    and type(redis.pcall('PUBLISH', KEYS[1], '')) == 'number'
end

local function allowed(command)
  if command == 'PUBLISH' then return may_publish() end
  local answer
  if command == 'MEMORY' then
    answer = redis.pcall(command, 'USAGE', KEYS[1])
  elseif command == 'TIME' then
    answer = redis.pcall(command)
  else
    answer = redis.pcall(command, KEYS[1], unpack(arguments[command]))
  end
  return type(answer) ~= 'table' or not answer.err or not string.find(answer.err, 'permission', 1, true)
    and not string.find(answer.err, "can't run this command", 1, true)
end

local tidy = allowed('DEL')
local writes = {HINCRBY = 1, HSET = 1, INCRBY = 1, LPUSH = 1, RPUSH = 1, SADD = 1, SET = 1, SETEX = 1, ZADD = 1}
local missing = {}
for i = 2, #ARGV do
  local command = ARGV[i]
  if arguments[command] and (tidy or not writes[command]) and not allowed(command) then
    missing[#missing + 1] = command
  end
  if tidy then
    redis.call('DEL', KEYS[1])
  end
end
return missing
