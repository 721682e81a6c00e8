-- Notes that tasks of some classes wait, and wakes those that can go on now.
-- KEYS rules, see limits
-- ARGV[1] to ARGV[3] see limits; [4] "1" if tasks have begun to wait, "0" to note only classes that are not known; [5…]
-- classes
-- Returns whom it has woken, see turns.
for i = 5, #ARGV do
  local class = ARGV[i]
  local known, place = place_of(class)
  if not known or ARGV[4] == '1' then
    local number = next_number()
    if not known then
      place = needs_of(class)[1].text
      redis.call('ZADD', LIMITS .. 'ring:' .. place, number, class)
      redis.call('HINCRBY', LIMITS .. 'queues', queue_of(class), 1)
    end
    note(class, number, place)
    touch(place)
  end
end
return give_turns()
