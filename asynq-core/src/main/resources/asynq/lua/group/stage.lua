-- Takes tasks out of a group, if it is due, to have them aggregated: the oldest, as many as are
-- enough. A whole group only changes its name, so that its size costs nothing.
--
-- KEYS[1] group             asynq:{queue}:g:<group>
-- KEYS[2] staged set        asynq:{queue}:g:<group>:<set>, a new name
-- KEYS[3] aggregation sets  asynq:{queue}:aggregation_sets
-- KEYS[4] groups            asynq:{queue}:groups
-- ARGV[1] group
-- ARGV[2] present time, ns, "" for that of Redis
-- ARGV[3] longest time without a new task, s
-- ARGV[4] longest time that a task waits, s, 0 for any
-- ARGV[5] how many tasks are enough, 0 for no number
-- ARGV[6] in how long the set goes back to the group, s
--
-- Returns {number of tasks taken; when the set goes back, s; in how long that is, ms}, {0} for none,
-- {-2} when a key has the wrong type.
if not fits(KEYS[1], 'zset') or not fits(KEYS[3], 'zset') or not fits(KEYS[4], 'set') then
  return {-2}
end
local size = redis.call('ZCARD', KEYS[1])
local now, _, exact = present(ARGV[2])
local max_delay, max_size = tonumber(ARGV[4]), tonumber(ARGV[5])

local function score(index)
  return tonumber(redis.call('ZRANGE', KEYS[1], index, index, 'WITHSCORES')[2])
end

local function is_due()
  return max_size > 0 and size >= max_size or max_delay > 0 and score(0) <= now - max_delay
    or score(-1) <= now - tonumber(ARGV[3])
end

if size == 0 or not is_due() then
  return {0}
end
if max_size == 0 or size <= max_size then
  if redis.call('RENAMENX', KEYS[1], KEYS[2]) == 0 then
    return {0}
  end
  redis.call('SREM', KEYS[4], ARGV[1])
else
  size = redis.call('ZRANGESTORE', KEYS[2], KEYS[1], 0, max_size - 1)
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, max_size - 1)
end
local ends = now + ARGV[6]
redis.call('ZADD', KEYS[3], ends, KEYS[2])
return {size, ends, math.floor((ends - exact) * 1000)}
