-- Reads a server's entry and what it works on.
-- KEYS server, workers
-- Returns {entry, worker, …}, {} if there is no entry.
local entry = redis.pcall('GET', KEYS[1])
if type(entry) ~= 'string' then
  return {}
end
local answer = kind(KEYS[2]) == 'hash' and redis.call('HVALS', KEYS[2]) or {}
table.insert(answer, 1, entry)
return answer
