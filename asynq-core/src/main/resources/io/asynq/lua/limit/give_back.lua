-- Keeps tokens no longer for tasks that could not be woken, and wakes others.
-- KEYS rules, see limits
-- ARGV[1] to ARGV[3] see limits; [4…] four for each class: class; its number when it was woken; for how many tasks; "1"
-- if none of it waits, "0" if its queue takes no tasks now and rests for a second, "" otherwise
-- Returns whom it has woken, see turns.
for i = 4, #ARGV, 4 do
  local class = ARGV[i]
  for _ = 1, tonumber(ARGV[i + 2]) do
    let_go(class)
  end
  if ARGV[i + 3] == '0' then
    local queue = queue_of(class)
    redis.call('ZADD', LIMITS .. 'resting', text(now + REST), queue)
    look_at('\n' .. queue, now + REST)
  elseif ARGV[i + 3] == '1' and place_of(class) == ARGV[i + 1] then
    forget(class)
  end
  for _, need in ipairs(needs_of(class)) do
    touch(need.text)
  end
end
return give_turns()
