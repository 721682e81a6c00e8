-- Moves tasks that cannot be aggregated from a staged set to the archive. An id without a task is removed, and so is
-- the id of a task whose state names another container.
-- KEYS staged set, archived, processed, failed
-- ARGV[1] prefix of task hashes; [2] life of the day counters, s; [3] limit of the totals; [4] present time; [5] how
-- long the archive keeps a task, s; [6] how many the archive keeps; [7…] two for each, at most 500: id; message, "" to
-- leave it as it is
-- Returns one code per task: 1 archived, 2 there was no task, 0 not in the set, or in another state.
local codes, moved = {}, {}
local now = present(ARGV[4])
must('ZCARD', KEYS[1])
must('ZCARD', KEYS[2])

local function archive(id, message)
  local task = ARGV[1] .. id
  if redis.call('ZREM', KEYS[1], id) == 0 then
    return 0
  elseif kind(task) ~= 'hash' then
    return 2
  end
  local state = redis.call('HGET', task, 'state')
  if state and state ~= 'aggregating' then return 0 end
  redis.call('HSET', task, 'state', 'archived')
  if message ~= '' then
    redis.call('HSET', task, 'msg', message)
  end
  moved[#moved + 1] = id
  return 1
end

for i = 7, #ARGV, 2 do
  codes[#codes + 1] = archive(ARGV[i], ARGV[i + 1])
end
into_archive(KEYS[2], ARGV[1], moved, now, ARGV[5], ARGV[6])
count(#moved, now, ARGV[2], ARGV[3], {KEYS[3], KEYS[4]})
return codes
