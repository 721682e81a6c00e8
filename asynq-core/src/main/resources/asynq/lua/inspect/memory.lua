-- Estimates how much memory a queue takes, from a few tasks of each container. Tasks that are gone count as
-- nothing.
-- KEYS pending, active, scheduled, retry, archived, completed, groups
-- ARGV[1] prefix of the queue's keys
-- ARGV[2] how many tasks of each container to look at
-- ARGV[3] how many groups to look at
-- ARGV[4] number of tasks in all groups
-- Returns the estimate in bytes.
local function usage(key)
  return redis.call('MEMORY', 'USAGE', key) or 0
end

local function sum(ids)
  local bytes = 0
  for _, id in ipairs(ids) do
    bytes = bytes + usage(ARGV[1] .. 't:' .. id)
  end
  return bytes
end

local function sample(key)
  local key_kind, last = kind(key), ARGV[2] - 1
  if key_kind == 'list' then
    return redis.call('LRANGE', key, 0, last)
  end
  return key_kind == 'zset' and redis.call('ZRANGE', key, 0, last) or {}
end

local total = 0
for i = 1, 6 do
  local ids = sample(KEYS[i])
  if #ids > 0 then
    total = total + sum(ids) / #ids * size(KEYS[i]) + usage(KEYS[i])
  end
end
local groups = kind(KEYS[7]) == 'set' and redis.call('SSCAN', KEYS[7], 0, 'COUNT', ARGV[3])[2] or {}
local bytes, sampled = 0, 0
for i = 1, math.min(#groups, tonumber(ARGV[3])) do
  local ids = sample(ARGV[1] .. 'g:' .. groups[i])
  bytes = bytes + sum(ids)
  sampled = sampled + #ids
end
if sampled > 0 then
  total = total + bytes / sampled * ARGV[4]
end
return math.floor(total)
