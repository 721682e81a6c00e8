-- Lists the tasks that servers work on: those of at least one server, until they are 10,000.
-- KEYS workers, … of each
-- ARGV[1] number of servers
-- Returns {number of servers looked at, task id, …}.
local answer = {0}
while answer[1] < tonumber(ARGV[1]) and #answer <= 10000 do
  answer[1] = answer[1] + 1
  for _, id in ipairs(ask('HKEYS', KEYS[answer[1]]) or {}) do
    answer[#answer + 1] = id
  end
end
return answer
