-- Stores many pending tasks of one queue that hold no lock, each by itself.
--
-- KEYS[1] pending  asynq:{queue}:pending
-- ARGV[1] prefix of task hashes
-- ARGV[2] present time, ns
-- ARGV[3…] two for each task: id; message
--
-- Returns one code per task: 1 stored, 0 the id is taken, -2 pending is no list; nothing is
-- written for a task but for 1.
local usable = fits(KEYS[1], 'list')
local hashes, codes, ready, stored = {}, {}, {}, {}
for i = 3, #ARGV, 2 do
  hashes[#hashes + 1] = ARGV[1] .. ARGV[i]
end
-- Mostly none exists, and one command tells so
local some_exist = redis.call('EXISTS', unpack(hashes)) > 0
for i, hash in ipairs(hashes) do
  local id = ARGV[2 * i + 1]
  if not usable then
    codes[i] = -2
  elseif stored[id] or some_exist and redis.call('EXISTS', hash) == 1 then
    codes[i] = 0
  else
    redis.call('HSET', hash, 'msg', ARGV[2 * i + 2], 'state', 'pending', 'pending_since', ARGV[2])
    stored[id] = true
    ready[#ready + 1] = id
    codes[i] = 1
  end
end
if #ready > 0 then
  redis.call('LPUSH', KEYS[1], unpack(ready))
end
return codes
