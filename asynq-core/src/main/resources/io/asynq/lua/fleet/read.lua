-- Reads what servers have written about themselves: at least one, until they have 1,000 tasks.
-- KEYS server, its types, held, stuck, workers, … of each
-- ARGV[1] present time; [2] number of servers; [3] "1" if their tasks and stuck handlers are wanted, too
-- Returns {present time, ns; {entry, types, held, stuck, each false if there is none; worker, …}, …}.
local _, now_ns = present(ARGV[1])
local answer, tasks, wanted = {now_ns}, 0, ARGV[3] == '1'
for i = 1, 5 * ARGV[2], 5 do
  local server = {ask('GET', KEYS[i]) or false, ask('GET', KEYS[i + 1]) or false, ask('GET', KEYS[i + 2]) or false,
    wanted and ask('GET', KEYS[i + 3]) or false}
  for _, worker in ipairs(wanted and ask('HVALS', KEYS[i + 4]) or {}) do
    server[#server + 1] = worker
  end
  answer[#answer + 1] = server
  tasks = tasks + #server - 4
  if tasks >= 1000 then break end
end
return answer
