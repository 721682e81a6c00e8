-- Gives tokens back, and reserves what is free for waiting tasks.
-- KEYS rules, see limits
-- ARGV[1] to ARGV[3] see turns
-- ARGV[4…] three for each task: its class; its id; fence of the attempt
-- Returns two for each class that got tokens: class; how many.
for i = 4, #ARGV, 3 do
  local owner = string.match(ARGV[i], '\n\n(.*)$') .. '\n' .. ARGV[i + 1] .. '\n' .. ARGV[i + 2]
  for _, need in ipairs(needs_of(ARGV[i])) do
    if redis.call('ZREM', LIMITS .. 'held:' .. need.limit, need.key .. '\n' .. owner) == 1 then
      use(need.limit, need.key, '-1')
    end
  end
  touch(ARGV[i])
end
return give_turns()
