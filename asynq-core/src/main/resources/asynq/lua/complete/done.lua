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
local codes, hashes = end_each(5, 3, true, OTHER, function(id, _, i)
  release(ARGV[i + 2], id)
end)
if #hashes > 0 then
  for n, id in ipairs(hashes) do
    hashes[n] = ARGV[1] .. id
  end
  redis.call('DEL', unpack(hashes))
  count(#hashes, present_seconds(ARGV[4]), ARGV[2], ARGV[3], {KEYS[3]})
end
return codes
