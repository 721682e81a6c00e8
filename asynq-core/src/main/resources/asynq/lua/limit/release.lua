-- Gives tokens back, and reserves what is free for waiting tasks.
-- KEYS rules, see limits
-- ARGV[1] to ARGV[3] see turns
-- ARGV[4…] two for each task: its class; its id
-- Returns two for each class that got tokens: class; how many.
for i = 4, #ARGV, 2 do
  local owner = string.match(ARGV[i], '\n\n(.*)$') .. '\n' .. ARGV[i + 1]
  for _, need in ipairs(needs_of(ARGV[i])) do
    if redis.call('ZREM', LIMITS .. 'held:' .. need.limit, need.key .. '\n' .. owner) == 1 then
      use(need.limit, need.key, '-1')
    end
  end
  touch(ARGV[i])
end
return give_turns()
