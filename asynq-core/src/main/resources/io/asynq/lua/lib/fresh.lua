-- Part of other scripts: gives a task all its retries again. Needs messages.

-- A message without field 6, the number of retries; what is no message stays as it is.
local function with_fresh_retries(message)
  local kept, at = {}, 1
  while at <= #message do
    local tag, _, past = field(message, at)
    if not tag then
      return message
    elseif tag ~= 48 then
      kept[#kept + 1] = string.sub(message, at, past - 1)
    end
    at = past
  end
  return table.concat(kept)
end

local function refresh(task)
  local message = redis.call('HGET', task, 'msg')
  if message then
    redis.call('HSET', task, 'msg', with_fresh_retries(message))
  end
end
