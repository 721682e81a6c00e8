-- Part of other scripts: a command's answer. A key of another type ends the script with an error that names it
-- (ScriptRunner reads the name), so call this before the first write.
local function must(command, key, ...)
  local answer = redis.pcall(command, key, ...)
  if type(answer) == 'table' and answer.err then
    error(string.find(answer.err, 'WRONGTYPE ', 1, true) and 'WRONGTYPE <' .. key .. '>' or answer.err, 0)
  end
  return answer
end
