-- Records that an aggregator has ended with a staged set.
-- KEYS aggregators, "time|server" by staged set; crashes, by group
-- ARGV[1] staged set; [2] group; [3] how: "own" by itself: all crashes are forgotten, uncounted ones too; "cut" it was
-- given up; "crash" it has stopped its own server; [4] present time; [5] prefix of groups
-- Returns 1.
local sets, now = must('HKEYS', KEYS[1]), present(ARGV[4])
must('HGET', KEYS[2], '')
local ends, server = note_of(KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[1], ARGV[1])
if ARGV[3] == 'own' then
  redis.call('HDEL', KEYS[2], ARGV[2])
  for _, set in ipairs(sets) do
    if group_of(ARGV[5], set) == ARGV[2] and is_over(KEYS[1], set, now) then
      redis.call('HDEL', KEYS[1], set)
    end
  end
elseif ARGV[3] == 'crash' and ends then
  count_crash(KEYS[2], ARGV[2], server, now)
end
return 1
