-- Guesses how much memory a queue takes: a few tasks of each container stand for all. Tasks that
-- are gone take nothing.
--
-- KEYS[1] active    KEYS[2] pending   KEYS[3] scheduled  KEYS[4] retry
-- KEYS[5] archived  KEYS[6] completed KEYS[7] groups
-- ARGV[1] prefix of task hashes
-- ARGV[2] prefix of groups
-- ARGV[3] how many tasks of each container to look at
-- ARGV[4] how many groups to look at
-- ARGV[5] number of tasks in all groups
--
-- Returns about so many bytes.
local function usage(key)
  return redis.call('MEMORY', 'USAGE', key) or 0
end

local function sum(ids)
  local bytes = 0
  for _, id in ipairs(ids) do
    bytes = bytes + usage(ARGV[1] .. id)
  end
  return bytes
end

local function sample(key)
  local key_kind, last = kind(key), ARGV[3] - 1
  if key_kind == 'list' then
    return redis.call('LRANGE', key, 0, last), redis.call('LLEN', key)
  elseif key_kind == 'zset' then
    return redis.call('ZRANGE', key, 0, last), redis.call('ZCARD', key)
  end
  return {}, 0
end

local total = 0
for i = 1, 6 do
  local ids, size = sample(KEYS[i])
  if #ids > 0 then
    total = total + sum(ids) / #ids * size + usage(KEYS[i])
  end
end
local groups = kind(KEYS[7]) == 'set' and redis.call('SSCAN', KEYS[7], 0, 'COUNT', ARGV[4])[2] or {}
local bytes, sampled = 0, 0
for i = 1, math.min(#groups, tonumber(ARGV[4])) do
  local ids = sample(ARGV[2] .. groups[i])
  bytes = bytes + sum(ids)
  sampled = sampled + #ids
end
if sampled > 0 then
  total = total + bytes / sampled * ARGV[5]
end
return math.floor(total)
