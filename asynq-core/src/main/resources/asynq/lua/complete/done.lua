-- Deletes active tasks that are done, each by itself.
--
-- KEYS[1] active     asynq:{queue}:active
-- KEYS[2] lease      asynq:{queue}:lease
-- KEYS[3] processed  asynq:{queue}:processed, and with ":" and the day that of the day
-- ARGV[1] prefix of task hashes
-- ARGV[2] life of the day counter, s
-- ARGV[3] limit of the totals
-- ARGV[4] present time, ns, "" for that of Redis
-- ARGV[5…] three for each task: id; fence of the attempt; lock or ""
--
-- Returns one code per task: 1 done, 0 not active or in other hands, 2 to be sent again because
-- enough was looked at, -2 active or lease has the wrong type.
local usable = fits(KEYS[1], 'list') and fits(KEYS[2], 'zset')
local codes, ids, hashes, ended = {}, {}, {}, {}
for i = 5, #ARGV, 3 do
  local id = ARGV[i]
  local code = -2
  if usable then
    local held = not ended[id] and holds(ARGV[1] .. id, ARGV[i + 1], redis.call('ZSCORE', KEYS[2], id))
    code = not held and 0 or leave(KEYS[1], id) and 1 or 2
  end
  if code == 1 then
    ended[id] = true
    ids[#ids + 1] = id
    hashes[#hashes + 1] = ARGV[1] .. id
    release(ARGV[i + 2], id)
  end
  codes[#codes + 1] = code
end
if #ids > 0 then
  redis.call('ZREM', KEYS[2], unpack(ids))
  redis.call('DEL', unpack(hashes))
end
count(#ids, (present(ARGV[4])), ARGV[2], ARGV[3], {KEYS[3]})
return codes
