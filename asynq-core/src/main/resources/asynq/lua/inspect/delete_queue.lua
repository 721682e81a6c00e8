-- Begins to delete a queue: puts its tasks out of everybody's reach, so that none is begun while
-- they are deleted a slice at a time.
--
-- KEYS[1] pending   KEYS[2] scheduled  KEYS[3] retry  KEYS[4] archived  KEYS[5] completed
-- KEYS[6] active    KEYS[7] lease      KEYS[8] paused
-- KEYS[9] deleted   asynqj:{queue}:deleted, names of containers out of reach: whoever finds it
--   deletes what is in them, should this deletion be interrupted
-- ARGV[1] "1" with its tasks, "0" only if it is empty, "-" not at all
-- ARGV[2] what the containers are called from now on, before their number from 1 to 5
--
-- Returns the number of tasks in KEYS[1] to KEYS[6], and then 1 begun, 0 not: there are active
-- tasks or, without force, any. What has the wrong type counts as empty.
local COUNTS = {list = 'LLEN', zset = 'ZCARD'}
local answer, total = {}, 0
for i = 1, 6 do
  local command = COUNTS[kind(KEYS[i])]
  answer[i] = command and redis.call(command, KEYS[i]) or 0
  total = total + answer[i]
end
if ARGV[1] == '-' or answer[6] > 0 or ARGV[1] ~= '1' and total > 0 then
  answer[7] = 0
  return answer
end
-- Comes first, as a full Redis lets nobody add anything who has not written before
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
