-- Lists classes of waiting tasks, so that those without tasks can be forgotten: a part of them in each call, for one
-- server in some time. Whoever can go on there, because a rule was changed, is looked at next.
-- KEYS rules, see limits
-- ARGV[1] to ARGV[3] see limits; [4] how long a turn lasts, ms, five times that if it is for all; "0" to go on whosever
-- turn it is
-- Returns {how many classes there are, 0 also if it is another server's turn; 1 if it has come to the end, else 0;
-- class, number, …}.
local swept, waiting = LIMITS .. 'swept', LIMITS .. 'waiting'
local ends, cursor = string.match(redis.call('GET', swept) or '', '^(%d+) (%d+)$')
local turn, classes = tonumber(ARGV[4]), redis.call('HLEN', waiting)
ends = tonumber(ends) or 0
if classes == 0 or now < ends and ends - now <= 5 * turn then return {0, 1} end
local page = redis.call('HSCAN', waiting, cursor or '0', 'COUNT', '500')
local answer = {classes, page[1] == '0' and 1 or 0}
redis.call('SET', swept, text(math.max(ends, now + (classes <= 500 and 5 or 1) * turn)) .. ' ' .. page[1], 'PX', '60000')
for i = 1, #page[2], 2 do
  local number, place = string.match(page[2][i + 1], '^(%d+)\n(.*)$')
  if is_open(place) then
    look_at(place, now)
  end
  answer[#answer + 1], answer[#answer + 2] = page[2][i], number
end
return answer
