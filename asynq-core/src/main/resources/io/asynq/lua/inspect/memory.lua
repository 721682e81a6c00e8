-- Estimates how much memory queues take, from a few tasks of each container. Tasks that are gone count as nothing.
-- KEYS of each queue: pending, active, scheduled, retry, archived, completed, groups
-- ARGV[1] how many tasks of each container to look at; [2] how many groups of each queue to look at; [3], … of each
-- queue: prefix of its keys; number of tasks in all its groups
-- Returns the estimates in bytes.
local function usage(key)
  return redis.call('MEMORY', 'USAGE', key) or 0
end

local function sum(ids, prefix)
  local bytes = 0
  for _, id in ipairs(ids) do
    bytes = bytes + usage(prefix .. 't:' .. id)
  end
  return bytes
end

local function sample(key)
  local key_kind, last = kind(key), ARGV[1] - 1
  if key_kind == 'list' then return redis.call('LRANGE', key, 0, last) end
  return key_kind == 'zset' and redis.call('ZRANGE', key, 0, last) or {}
end

local function in_groups(key, prefix, tasks)
  local groups = kind(key) == 'set' and redis.call('SSCAN', key, 0, 'COUNT', ARGV[2])[2] or {}
  local bytes, sampled = 0, 0
  for i = 1, math.min(#groups, tonumber(ARGV[2])) do
    local ids = sample(prefix .. 'g:' .. groups[i])
    bytes = bytes + sum(ids, prefix)
    sampled = sampled + #ids
  end
  return sampled > 0 and bytes / sampled * tasks or 0
end

local answer = {}
for i = 3, #ARGV, 2 do
  local k, prefix, total = 7 * (i - 3) / 2, ARGV[i], 0
  for j = k + 1, k + 6 do
    local ids = sample(KEYS[j])
    if #ids > 0 then
      total = total + sum(ids, prefix) / #ids * size(KEYS[j]) + usage(KEYS[j])
    end
  end
  answer[#answer + 1] = math.floor(total + in_groups(KEYS[k + 7], prefix, ARGV[i + 1]))
end
return answer
