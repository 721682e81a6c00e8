-- Records that the handlers of some tasks are about to begin.
-- KEYS lease
-- ARGV[1] prefix of task hashes; [2] the server, host and process id; [3…] two for each task, at most 256: id; fence of
-- the attempt
-- Returns one code per task: 1 recorded, 0 not held or gone.
local codes = {}
for i = 3, #ARGV, 2 do
  local task, fence = ARGV[1] .. ARGV[i], ARGV[i + 1]
  local mine = holds_hash(task, fence, score_of(KEYS[1], ARGV[i]))
  if mine then
    redis.call('HSET', task, 'x-begun', fence, 'x-server', ARGV[2])
    tell_marks(task)
  end
  codes[#codes + 1] = mine and 1 or 0
end
return codes
