-- Gives tokens back, and wakes tasks that can go on now. What is not held is not taken any more either.
-- KEYS rules, see limits
-- ARGV[1] to ARGV[3] see limits; [4…] three for each task: its class; its id; fence of the attempt
-- Returns whom it has woken, see turns.
for i = 4, #ARGV, 3 do
  local owner, held = queue_of(ARGV[i]) .. '\n' .. ARGV[i + 1] .. '\n' .. ARGV[i + 2], false
  for _, need in ipairs(needs_of(ARGV[i])) do
    if redis.call('ZREM', LIMITS .. 'held:' .. need.limit, need.key .. '\n' .. owner) == 1 then
      use(need.limit, need.key, '-1')
      held = true
    end
    touch(need.text)
  end
  if not held then
    redis.call('ZADD', LIMITS .. 'void', text(now + 60000), owner)
  end
end
return give_turns()
