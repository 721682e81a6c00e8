-- Notes that tasks of some classes wait, and reserves what is free for waiting tasks.
-- KEYS rules, see limits
-- ARGV[1] to ARGV[3] see turns
-- ARGV[4…] classes
-- Returns two for each class that got tokens: class; how many.
for i = 4, #ARGV do
  for _, need in ipairs(needs_of(ARGV[i])) do
    redis.call('ZADD', LIMITS .. 'ring:' .. need.text, 'NX', last_turn(), ARGV[i])
  end
  redis.call('SADD', LIMITS .. 'queues', string.match(ARGV[i], '\n\n(.*)$'))
  touch(ARGV[i])
end
return give_turns()
