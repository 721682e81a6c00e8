-- Part of other scripts: what a command answers, nil if its key has another type. Whatever else is
-- wrong is told.
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
