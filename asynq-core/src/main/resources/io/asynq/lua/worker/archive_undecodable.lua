-- Archives active tasks whose message cannot be decoded, unchanged. Go or a newer version may be able to decode it, so
-- a task that another server has taken over meanwhile is left alone.
-- KEYS active, lease, archived, processed, failed
-- ARGV[1] to ARGV[4] see outcomes; [5] how long the archive keeps a task, s; [6] how many the archive keeps; [7…] three
-- for each task: id; fence of the attempt that holds it, "" if it is none of ours; end of its lease as it was seen, s,
-- "" if the caller has just taken it
-- Returns one code per task, see outcomes.
local now = math.floor(present_seconds(ARGV[4]))

local function is_unchanged(task, fence, score, i)
  if kind(task) ~= 'hash' then return false, OTHER end
  local noted, ends = redis.call('HMGET', task, 'x-attempt', 'state'), ARGV[i + 2]
  return score and (ends == '' or tonumber(ends) == tonumber(score)) and holder_of(noted[1], score) == fence
    and (not noted[2] or noted[2] == 'active'), HASH
end

local codes, ended = end_each(7, 3, ask('ZCARD', KEYS[3]), HASH, function(_, task)
  forget_all(task)
  redis.call('HSET', task, 'state', 'archived')
end, is_unchanged)
into_archive(KEYS[3], ARGV[1], ended, now, ARGV[5], ARGV[6])
count(#ended, now, ARGV[2], ARGV[3], {KEYS[4], KEYS[5]})
return codes
