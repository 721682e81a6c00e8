-- Begins to delete a queue: renames its containers, so that no task is started while they are deleted in slices.
-- KEYS pending, scheduled, retry, archived, completed, active, lease, paused; deleted, names of the containers out of
-- reach: any server that finds it finishes an interrupted deletion
-- ARGV[1] "1" with its tasks, "0" only if it is empty, "-" not at all; [2] new name of the containers, before their
-- number from 1 to 5
-- Returns the number of tasks in KEYS[1] to KEYS[6], and then 1 begun, 0 not: there are active tasks or, without force,
-- any. What has the wrong type counts as empty.
local answer, total = {}, 0
for i = 1, 6 do
  answer[i] = size(KEYS[i])
  total = total + answer[i]
end
if ARGV[1] == '-' or answer[6] > 0 or ARGV[1] ~= '1' and total > 0 then
  answer[7] = 0
  return answer
end
-- First, because a Redis that is out of memory refuses other commands unless the script has written before
redis.call('UNLINK', KEYS[6], KEYS[7], KEYS[8])
if not fits(KEYS[9], 'set') then
  redis.call('UNLINK', KEYS[9])
end
for i = 1, 5 do
  if answer[i] > 0 then
    redis.call('SADD', KEYS[9], ARGV[2] .. i)
    redis.call('RENAMENX', KEYS[i], ARGV[2] .. i)
  else
    redis.call('UNLINK', KEYS[i])
  end
end
answer[7] = 1
return answer
