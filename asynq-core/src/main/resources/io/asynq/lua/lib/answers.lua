-- Part of other scripts: a command's answer, nil if its key has another type. Any other error is raised.
local function ask(...)
  local answer = redis.pcall(...)
  if type(answer) == 'table' and answer.err then
    if not string.find(answer.err, 'WRONGTYPE ', 1, true) then
      error(answer.err, 0)
    end
    return nil
  end
  return answer
end
