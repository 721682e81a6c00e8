-- Takes over active tasks whose lease has ended: only outcomes with the new fence count from now on. A lease that was
-- extended meanwhile is left alone.
-- KEYS lease, active
-- ARGV[1] prefix of task hashes; [2] the new fence; [3…] five for each task: id; end of its lease as it was seen, s;
-- "1" if it is a suspect from now on; how many servers it has taken down; which and when
-- Returns one code per task: 1 claimed, 0 not, -2 lease, active or the task has the wrong type.
local usable = fits(KEYS[1], 'zset') and fits(KEYS[2], 'list')
local codes = {}

local function claim(id, ended, suspect, crashes, deaths)
  local task = ARGV[1] .. id
  if not usable or kind(task) ~= 'hash' then
    return -2
  elseif tonumber(redis.call('ZSCORE', KEYS[1], id)) ~= tonumber(ended) then
    return 0
  end
  local state = redis.call('HGET', task, 'state')
  if state and state ~= 'active' then return 0 end
  local before = parts_of(redis.call('HGET', task, 'x-attempt'))
  local begun = redis.call('HGET', task, 'x-begun')
  -- First a command that Redis executes even when it is out of memory
  redis.call('HDEL', task, 'x-attempt', 'x-begun', 'x-suspect', 'x-crashes', 'x-crashed-at', 'x-deaths')
  redis.call('HSET', task, 'x-attempt', ARGV[2] .. '@' .. ended .. '!')
  if begun and begun == before then
    redis.call('HSET', task, 'x-begun', ARGV[2])
  end
  if suspect == '1' then
    redis.call('HSET', task, 'x-suspect', ARGV[2], 'x-crashed-at', ended)
  end
  if crashes ~= '0' then
    redis.call('HSET', task, 'x-crashes', crashes, 'x-deaths', deaths)
  end
  return 1
end

for i = 3, #ARGV, 5 do
  codes[#codes + 1] = claim(unpack(ARGV, i, i + 4))
end
return codes
