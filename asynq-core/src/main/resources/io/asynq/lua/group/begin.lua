-- Records that an aggregator is about to begin with a staged set.
-- KEYS aggregators, "time|server" by staged set; crashes, by group
-- ARGV[1] staged set; [2] group; [3] the server, host and process id; [4] when the set goes back to its group, s; [5]
-- prefix of groups; [6] present time
-- Returns {how many servers the group's aggregator has taken down, "a|b,c,…" for a of them with servers and times, s;
-- "" for none}.
local sets, record, now = must('HKEYS', KEYS[1]), must('HGET', KEYS[2], ARGV[2]) or '', present(ARGV[6])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4] .. '|' .. string.gsub(ARGV[3], ',', '_'))
redis.call('EXPIRE', KEYS[1], 86400)
-- A server that died just now is counted later, but must be known before another one dies
for _, set in ipairs(sets) do
  if group_of(ARGV[5], set) == ARGV[2] and is_over(KEYS[1], set, now) then
    local ends, server = note_of(KEYS[1], set)
    record = with_crash(record, server, ends)
  end
end
return {record}
