-- Counts the aggregators that went down with their servers: nobody has said that they ended, though
-- their sets have gone back for a while. There are a few for each server that died since the last
-- look.
--
-- KEYS[1] aggregators  asynqj:{queue}:aggregators, "time|server" by staged set
-- KEYS[2] crashes      asynqj:{queue}:aggregator-crashes, by group
-- ARGV[1] present time, ns, "" for that of Redis
-- ARGV[2] prefix of groups
-- ARGV[3] how long to wait for the word of a server that lives, s
--
-- Returns how many were counted, -2 when a key has the wrong type.
if not fits(KEYS[1], 'hash') or not fits(KEYS[2], 'hash') then
  return -2
end
local latest, counted = present(ARGV[1]) - tonumber(ARGV[3]), 0
for _, set in ipairs(redis.call('HKEYS', KEYS[1])) do
  local group = group_of(ARGV[2], set)
  local ends, server = note_of(KEYS[1], set)
  if not group or not ends then
    redis.call('HDEL', KEYS[1], set)
  elseif tonumber(ends) <= latest then
    redis.call('HDEL', KEYS[1], set)
    count_crash(KEYS[2], group, server, ends)
    counted = counted + 1
  end
end
return counted
