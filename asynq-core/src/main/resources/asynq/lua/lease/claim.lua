-- Takes active tasks out of the hands of whoever let their lease end: only what is said with
-- the new fence counts from now on. A lease that was extended meanwhile is left alone.
--
-- KEYS[1] lease   asynq:{queue}:lease
-- KEYS[2] active  asynq:{queue}:active
-- ARGV[1] prefix of task hashes
-- ARGV[2] the new fence
-- ARGV[3…] three for each task: id; end of its lease as it was seen, s; how many servers it
--   has taken down
--
-- Returns one code per task: 1 claimed, 0 not, -2 lease, active or the task has the wrong type.
local usable = fits(KEYS[1], 'zset') and fits(KEYS[2], 'list')
local codes = {}

local function claim(id, ended, crashes)
  local task = ARGV[1] .. id
  if not usable or kind(task) ~= 'hash' then
    return -2
  elseif tonumber(redis.call('ZSCORE', KEYS[1], id)) ~= tonumber(ended) or not redis.call('LPOS', KEYS[2], id) then
    return 0
  end
  -- First what Redis does also when it has no memory left
  redis.call('HDEL', task, 'x-attempt', 'x-crashes', 'x-crashed-at')
  redis.call('HSET', task, 'x-attempt', ARGV[2])
  if crashes ~= '0' then
    redis.call('HSET', task, 'x-crashes', crashes, 'x-crashed-at', ended)
  end
  return 1
end

for i = 3, #ARGV, 3 do
  codes[#codes + 1] = claim(ARGV[i], ARGV[i + 1], ARGV[i + 2])
end
return codes
