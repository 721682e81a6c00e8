-- Gives reservations back that could not be used, and reserves what is free for other waiting tasks.
-- KEYS rules, see limits
-- ARGV[1] to ARGV[3] see turns
-- ARGV[4…] three for each class: class; how many reservations; why: "empty" no task waits, "paused" its queue is paused,
--   so it rests for as long as a reservation lasts, or "more" others must be looked at
-- Returns two for each class that got tokens: class; how many.
for i = 4, #ARGV, 3 do
  local class = ARGV[i]
  for _ = 1, tonumber(ARGV[i + 1]) do
    if take_reserved(class) then
      use_all(class, '-1')
    end
  end
  if ARGV[i + 2] == 'empty' then
    for _, need in ipairs(needs_of(class)) do
      redis.call('ZREM', LIMITS .. 'ring:' .. need.text, class)
    end
  elseif ARGV[i + 2] == 'paused' then
    note('resting', class, ARGV[3])
  end
  touch(class)
end
return give_turns()
