-- Stores the crash records of tasks whose attempts do not end by themselves.
-- KEYS lease
-- ARGV[1] prefix of task hashes; [2…] six for each task, at most 256: id; fence of the attempt; "1" if it is a suspect;
-- how many servers it has taken down; which and when; times cut short in a row
-- Returns one code per task: 1 stored, 0 not held or gone.
local codes = {}

local function note(id, fence, suspect, crashes, deaths, cut_short)
  local task = ARGV[1] .. id
  if not holds_hash(task, fence, score_of(KEYS[1], id)) then return 0 end
  redis.call('HDEL', task, 'x-suspect', 'x-crashes', 'x-deaths', 'x-cut-short')
  if suspect == '1' then
    redis.call('HSET', task, 'x-suspect', fence)
  end
  if crashes ~= '0' then
    redis.call('HSET', task, 'x-crashes', crashes, 'x-deaths', deaths)
  end
  if cut_short ~= '0' then
    redis.call('HSET', task, 'x-cut-short', cut_short)
  end
  tell_marks(task)
  return 1
end

for i = 2, #ARGV, 6 do
  codes[#codes + 1] = note(unpack(ARGV, i, i + 5))
end
return codes
