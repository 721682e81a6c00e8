-- Stages the oldest tasks of a group, if it is due, for aggregation. A whole group is only renamed, so its size
-- costs nothing.
-- KEYS group; staged set, a new name; aggregation sets; groups
-- ARGV[1] group
-- ARGV[2] present time
-- ARGV[3] longest time without a new task, s
-- ARGV[4] longest time that a task waits, s, 0 for any
-- ARGV[5] how many tasks are enough, 0 for no number
-- ARGV[6] time until the set goes back to the group, s
-- Returns {number of tasks taken; when the set goes back, s; time until then, ms}, {0} for none.
local size = must('ZCARD', KEYS[1])
must('ZCARD', KEYS[3])
must('SCARD', KEYS[4])
local now, _, exact = present(ARGV[2])
local max_size = tonumber(ARGV[5])
if size == 0 or due_at(KEYS[1], size, now, tonumber(ARGV[3]), tonumber(ARGV[4]), max_size) > now then
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
