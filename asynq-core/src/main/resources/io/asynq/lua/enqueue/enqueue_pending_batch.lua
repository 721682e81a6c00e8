-- Stores many pending tasks of one queue without locks, each by itself: a cheaper enqueue/store.
-- KEYS pending
-- ARGV[1] prefix of task hashes; [2] present time, ns; [3…] two for each task: id; message
-- Returns one code per task: 1 stored, 0 the id is taken, -2 pending is no list; nothing is written for a task but for
-- 1.
local call = redis.call
local usable = fits(KEYS[1], 'list')
local prefix, since = ARGV[1], ARGV[2]
local count = (#ARGV - 2) / 2
local hashes, codes, ready, stored = {}, {}, {}, {}
for i = 1, count do
  hashes[i] = prefix .. ARGV[2 * i + 1]
end
-- Usually none exists, and one command suffices
local some_exist = call('EXISTS', unpack(hashes)) > 0
for i = 1, count do
  local id = ARGV[2 * i + 1]
  if not usable then
    codes[i] = -2
  elseif stored[id] or some_exist and call('EXISTS', hashes[i]) == 1 then
    codes[i] = 0
  else
    call('HSET', hashes[i], 'msg', ARGV[2 * i + 2], 'state', 'pending', 'pending_since', since)
    stored[id] = true
    ready[#ready + 1] = id
    codes[i] = 1
  end
end
if #ready > 0 then
  call('LPUSH', KEYS[1], unpack(ready))
end
return codes
