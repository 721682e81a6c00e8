-- Takes tokens for attempts at tasks, each by itself: of all of its limits or of none. One that has them keeps them.
-- KEYS rules, see limits
-- ARGV[1] and ARGV[2] see limits; [3] how long a token lasts, ms
-- ARGV[4…] three for each task: its class; its id; fence of the attempt
-- Returns for each task 1 taken, 0 none is left, else minus in how many milliseconds it may start, which is promised.
local ends, answer = string.format('%.0f', now + ARGV[3]), {}

local function hold(class, owner)
  for _, need in ipairs(needs_of(class)) do
    redis.call('ZADD', LIMITS .. 'held:' .. need.limit, ends, need.key .. '\n' .. owner)
  end
end

local function take(class, task, owner)
  local first = needs_of(class)[1]
  if redis.call('ZSCORE', LIMITS .. 'held:' .. first.limit, first.key .. '\n' .. owner) then
    return 1
  end
  local reserved = redis.call('EXISTS', LIMITS .. 'reserved:' .. class) == 1
  if not reserved and not are_free(class) then
    return 0
  end
  local moment = 0
  for _, need in ipairs(needs_of(class)) do
    moment = math.max(moment, starts_at(need, need.key .. '\n' .. task))
  end
  if moment > 0 then
    if reserved and take_reserved(class) then
      use_all(class, '-1')
    end
    return math.min(now - moment, -1)
  end
  for _, need in ipairs(needs_of(class)) do
    start(need, need.key .. '\n' .. task)
  end
  if not reserved or not take_reserved(class) then
    use_all(class, '1')
  end
  redis.call('ZREM', LIMITS .. 'late', string.match(class, '\n\n(.*)$'))
  return 1
end

for i = 4, #ARGV, 3 do
  local task = string.match(ARGV[i], '\n\n(.*)$') .. '\n' .. ARGV[i + 1]
  local owner = task .. '\n' .. ARGV[i + 2]
  local taken = take(ARGV[i], task, owner)
  if taken == 1 then
    hold(ARGV[i], owner)
  end
  answer[#answer + 1] = taken
end
return answer
