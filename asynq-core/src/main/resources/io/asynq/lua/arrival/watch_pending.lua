-- Reads whether queues have tasks to take. Over a connection with CLIENT TRACKING, Redis then reports the next change
-- of the keys.
-- KEYS two for each queue: pending, paused
-- Returns one number per queue: 1 tasks are pending and it is not paused, else 0.
local answers = {}
for i = 1, #KEYS, 2 do
  local pending = redis.call('EXISTS', KEYS[i])
  local paused = redis.call('EXISTS', KEYS[i + 1])
  answers[#answers + 1] = pending * (1 - paused)
end
return answers
