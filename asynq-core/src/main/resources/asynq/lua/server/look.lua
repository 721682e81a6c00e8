-- Reads everything about a server.
-- KEYS server, workers, its types
-- ARGV[1] present time
-- Returns {present time, ns; entry, types, each false if there is none; worker, …}.
local _, now_ns = present(ARGV[1])
local answer = {now_ns, ask('GET', KEYS[1]) or false, ask('GET', KEYS[3]) or false}
for _, worker in ipairs(ask('HVALS', KEYS[2]) or {}) do
  answer[#answer + 1] = worker
end
return answer
