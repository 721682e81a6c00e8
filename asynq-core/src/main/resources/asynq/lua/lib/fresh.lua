-- Part of other scripts: gives a task all its retries again. Needs messages.

-- A message without field 6, the number of retries; what is no message stays as it is.
local function with_fresh_retries(message)
  local kept, at = {}, 1
  while at <= #message do
    local from, tag, length = at, nil, nil
    tag, at = varint(message, at)
    local wire = tag and tag % 8
    if wire == 0 then
      length, at = varint(message, at)
    elseif wire == 2 then
      length, at = varint(message, at)
      at = length and at + length
    elseif wire == 1 or wire == 5 then
      at = at + (wire == 1 and 8 or 4)
    else
      return message
    end
    if not at or at > #message + 1 then
      return message
    elseif tag ~= 48 then
      kept[#kept + 1] = string.sub(message, from, at - 1)
    end
  end
  return table.concat(kept)
end

local function refresh(task)
  local message = redis.call('HGET', task, 'msg')
  if message then
    redis.call('HSET', task, 'msg', with_fresh_retries(message))
  end
end
