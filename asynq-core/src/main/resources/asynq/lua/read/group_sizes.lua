-- Sums the tasks of one slice of a queue's groups.
--
-- KEYS[1] groups  asynq:{queue}:groups
-- ARGV[1] cursor, "0" to begin
-- ARGV[2] prefix of groups
-- ARGV[3] about how many groups
--
-- Returns {next cursor, "0" at the end; number of tasks}.
if redis.call('TYPE', KEYS[1]).ok ~= 'set' then
  return {'0', 0}
end
local slice = redis.call('SSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[3])
local tasks = 0
for _, group in ipairs(slice[2]) do
  if redis.call('TYPE', ARGV[2] .. group).ok == 'zset' then
    tasks = tasks + redis.call('ZCARD', ARGV[2] .. group)
  end
end
return {slice[1], tasks}
