-- Deletes active tasks that are done, each by itself.
-- KEYS active, lease, processed
-- ARGV[1] to ARGV[4] see outcomes; [5…] three for each task: id; fence of the attempt; lock or ""
-- Returns one code per task, see outcomes.
local codes, ended = end_each(5, 3, true, OTHER, function(id, task, i)
  redis.call('DEL', task)
  release(ARGV[i + 2], id)
end)
count(#ended, present_seconds(ARGV[4]), ARGV[2], ARGV[3], {KEYS[3]})
return codes
