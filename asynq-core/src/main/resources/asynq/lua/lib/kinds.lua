-- Part of other scripts: what type a key has.
local function kind(key)
  return redis.call('TYPE', key).ok
end

-- Whether a key has a type, or could get it because it does not exist.
local function fits(key, expected)
  local actual = kind(key)
  return actual == expected or actual == 'none'
end

-- What a command answers, nil if its key has another type. Whatever else is wrong is told.
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
