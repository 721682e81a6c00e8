-- Takes tokens for attempts at tasks, each by itself: of all of its limits or of none. One that has them keeps them. Of
-- a class of which tasks wait, only those that were woken get some.
-- KEYS rules, see limits
-- ARGV[1] to ARGV[3] see limits; [4…] four for each task: its class; its id; fence of the attempt; "1" if it was woken
-- Returns for each task 1 taken, 0 none is left, -1 servers have not announced one of its limits.
local ends, answer = text(now + TOKEN), {}

local function take(class, owner, was_woken)
  local needs = needs_of(class)
  if redis.call('ZSCORE', LIMITS .. 'held:' .. needs[1].limit, needs[1].key .. '\n' .. owner) then return 1 end
  for _, need in ipairs(needs) do
    if not need.rule.concurrent then return -1 end
  end
  if not was_woken and place_of(class) or redis.call('ZSCORE', LIMITS .. 'void', owner) then return 0 end
  local was_kept = was_woken and let_go(class)
  for _, need in ipairs(needs) do
    local at = free_at(need)
    if not at or at > micros then return 0 end
  end
  if not was_kept then
    -- First a command that Redis executes even when it is out of memory
    redis.call('ZREM', LIMITS .. 'void', '')
  end
  for _, need in ipairs(needs) do
    use(need.limit, need.key, '1')
    start(need)
    redis.call('ZADD', LIMITS .. 'held:' .. need.limit, ends, need.key .. '\n' .. owner)
  end
  return 1
end

for i = 4, #ARGV, 4 do
  local owner = queue_of(ARGV[i]) .. '\n' .. ARGV[i + 1] .. '\n' .. ARGV[i + 2]
  answer[#answer + 1] = take(ARGV[i], owner, ARGV[i + 3] == '1')
end
return answer
