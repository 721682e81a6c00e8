-- Moves active tasks that have failed for good to the archive, each by itself.
-- KEYS active, lease, archived, processed, failed
-- ARGV[1] to ARGV[4] see outcomes; [5] how long the archive keeps a task, s; [6] how many the archive keeps; [7…] three
-- for each task: id; fence of the attempt; message
-- Returns one code per task, see outcomes.
local now = math.floor(present_seconds(ARGV[4]))

local function holds_to_keep(task, fence, score)
  local held, found, marked = holds_to_wait(task, fence, score)
  return held == 4 or held, found, marked
end

local codes, ended = end_each(7, 3, ask('ZCARD', KEYS[3]), NONE, function(_, task, i, marked)
  if marked then
    forget_all(task)
  else
    forget_attempt(task)
  end
  redis.call('HSET', task, 'msg', ARGV[i + 2], 'state', 'archived')
end, holds_to_keep)
into_archive(KEYS[3], ARGV[1], ended, now, ARGV[5], ARGV[6])
count(#ended, now, ARGV[2], ARGV[3], {KEYS[4], KEYS[5]})
return codes
