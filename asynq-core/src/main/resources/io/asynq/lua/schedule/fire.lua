-- Stores the task of one fire of a periodic task, unless another scheduler has. The first call decides for all: its
-- answer is kept for as long as others may ask, and repeated to the same scheduler, which may have lost it.
-- KEYS pending, scheduled, groups, fire, last fire
-- ARGV[1] prefix of the queue's keys; [2…] name and value of each: state, id, message, at, group, lock and ttl of the
-- new task, see lib/store; now, the present time; replaces, "1" if it may take the place of an archived task with its
-- id; asker; second, the fire's; life, of the fire, s; last_life, of the last fire, s, 0 not to keep it; missed, "1" if
-- the fire was missed and counts only if no later one is known
-- Returns 1 stored, 0 the id is taken, -1 the lock is held, -2 a key has the wrong type, -3 Redis refuses the life of
-- the lock, 2 the fire is another's or not the last one; no task is written but for 1.
local fire = {}
for i = 2, #ARGV, 2 do
  fire[ARGV[i]] = ARGV[i + 1]
end
local now, now_ns = present(fire.now)
if not fits(KEYS[1], 'list') or not fits(KEYS[2], 'zset') or not fits(KEYS[3], 'set') or not fits(KEYS[4], 'string')
    or not fits(KEYS[5], 'string') then
  return -2
end
local told = redis.call('GET', KEYS[4])
if told then
  local code, owner = string.match(told, '^(%S+) (.*)$')
  return owner == fire.asker and tonumber(code) or 2
end
local last = tonumber(redis.call('GET', KEYS[5]) or '') or -math.huge
local is_later = last < tonumber(fire.second)
if fire.missed == '1' and not is_later then return 2 end
local code = store_or_replace(fire.state, fire.id, fire.message, fire.at, fire.group, fire.lock, fire.ttl, now,
  now_ns, fire.replaces)
if code < -1 then return code end
redis.call('SET', KEYS[4], code .. ' ' .. fire.asker, 'EX', fire.life, 'NX')
if fire.last_life ~= '0' and is_later then
  redis.call('SET', KEYS[5], fire.second, 'EX', fire.last_life)
end
return code
