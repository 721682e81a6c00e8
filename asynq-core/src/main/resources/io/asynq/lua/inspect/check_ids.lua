-- Reports where ids are, and what is wrong with that.
-- KEYS active
-- ARGV[1] prefix of the queue's keys; [2] prefix of our own keys of the queue; [3…] two for each id, at most 100: task
-- id; container it was seen in, or ""
-- Returns for each id {type of its task's key; state or ""; {kind of inconsistency, …}; {container, …}}.
local answer = {}
for i = 3, #ARGV, 2 do
  local at = whereabouts(ARGV[i], ARGV[i + 1])
  answer[#answer + 1] = {at.kind, at.state, at.wrong, at.containers}
end
return answer
