-- Gives leases their full time again; a lease that is not there is not created, and one that has
-- passed into other hands is left alone.
--
-- KEYS[1] lease  asynq:{queue}:lease
-- ARGV[1] present time, ns, "" for that of Redis
-- ARGV[2] how long leases last, ms
-- ARGV[3] prefix of task hashes
-- ARGV[4…] two for each lease, at most 1,000: task id; fence of the attempt
--
-- Returns {how long they last from now on, ms; 1 extended, 0 no such lease, -1 in other hands, -3 neither
-- lease nor task, …} in the order of the ids, {-2} when lease is no sorted set.
if not fits(KEYS[1], 'zset') then
  return {-2}
end
local ends, left = lease_end(ARGV[1], ARGV[2])
local codes = {left}

local function extend(id, fence)
  local task = ARGV[3] .. id
  local score = redis.call('ZSCORE', KEYS[1], id)
  if not score then
    return redis.call('EXISTS', task) == 1 and 0 or -3
  end
  local held, noted = holds(task, fence, score)
  if not held then
    return -1
  end
  redis.call('ZADD', KEYS[1], 'XX', ends, id)
  if noted then
    redis.call('HSET', task, 'x-lease', ends)
  end
  return 1
end

for i = 4, #ARGV, 2 do
  codes[#codes + 1] = extend(ARGV[i], ARGV[i + 1])
end
return codes
