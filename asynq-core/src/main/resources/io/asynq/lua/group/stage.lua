-- Stages the oldest tasks of a group, if it is due, for aggregation. A whole group is only renamed, so its size costs
-- nothing.
-- KEYS group; staged set, a new name; aggregation sets; groups
-- ARGV[1] group; [2] present time; [3] longest time without a new task, s; [4] longest time that a task waits, s, 0 for
-- any; [5] how many tasks are enough, 0 for no number; [6] time until the set goes back to the group, s; [7] the second
-- whose tasks are divided, "" at first; [8…] the ids of those that arrived first, in order
-- Returns {number of tasks taken; when the set goes back, s; time until then, ms}, {0} for none, {-1; second} if the
-- tasks of this second must be divided: then it must be called with them.
local size = must('ZCARD', KEYS[1])
must('ZCARD', KEYS[3])
must('SCARD', KEYS[4])
local now, _, exact = present(ARGV[2])
local max_size = tonumber(ARGV[5])
if size == 0 or due_at(KEYS[1], size, now, tonumber(ARGV[3]), tonumber(ARGV[4]), max_size) > now then return {0} end

-- Moves those of the given ids that are still there; returns how many.
local function move(score, most)
  local moved = 0
  for first = 8, #ARGV, 500 do
    local ids, pairs = {unpack(ARGV, first, math.min(first + 499, #ARGV))}, {}
    for i, there in ipairs(redis.call('ZMSCORE', KEYS[1], unpack(ids))) do
      if there == score and moved < most then
        moved = moved + 1
        pairs[#pairs + 1], pairs[#pairs + 2] = score, ids[i]
        redis.call('ZREM', KEYS[1], ids[i])
      end
    end
    if #pairs > 0 then
      redis.call('ZADD', KEYS[2], unpack(pairs))
    end
  end
  return moved
end

if max_size == 0 or size <= max_size then
  if redis.call('RENAMENX', KEYS[1], KEYS[2]) == 0 then return {0} end
  redis.call('SREM', KEYS[4], ARGV[1])
else
  local last = redis.call('ZRANGE', KEYS[1], max_size - 1, max_size - 1, 'WITHSCORES')[2]
  local whole = redis.call('ZCOUNT', KEYS[1], '-inf', last)
  if whole > max_size then
    if last ~= ARGV[7] then return {-1, last} end
    whole = redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. last)
  end
  if whole > 0 then
    redis.call('ZRANGESTORE', KEYS[2], KEYS[1], 0, whole - 1)
    redis.call('ZREMRANGEBYRANK', KEYS[1], 0, whole - 1)
  end
  size = whole + move(last, max_size - whole)
  if size == 0 then return {0} end
end
local ends = now + ARGV[6]
redis.call('ZADD', KEYS[3], ends, KEYS[2])
return {size, ends, math.floor((ends - exact) * 1000)}
