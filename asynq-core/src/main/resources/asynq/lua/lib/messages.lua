-- Part of other scripts: releases the unique lock of a deleted task. Go's grouped tasks name their lock in the
-- message only. Needs locks.
local function varint(bytes, at)
  local value, scale = 0, 1
  for i = at, at + 9 do
    local byte = string.byte(bytes, i)
    if not byte then
      return nil
    end
    value = value + byte % 128 * scale
    scale = scale * 128
    if byte < 128 then
      return value, i + 1
    end
  end
  return nil
end

-- Field 10 of a message, nil if there is none or the bytes are no message.
local function lock_named_in(message)
  local lock, at = nil, 1
  while at <= #message do
    local tag, length
    tag, at = varint(message, at)
    local wire = tag and tag % 8
    if wire == 0 then
      length, at = varint(message, at)
    elseif wire == 2 then
      length, at = varint(message, at)
      if not length or at + length - 1 > #message then
        return nil
      end
      lock = tag == 82 and string.sub(message, at, at + length - 1) or lock
      at = at + length
    elseif wire == 1 or wire == 5 then
      at = at + (wire == 1 and 8 or 4)
    else
      return nil
    end
    if not at then
      return nil
    end
  end
  return lock
end

-- Deletes a task's hash and releases its lock; prefix is that of the queue's task hashes.
local function delete_task(prefix, id)
  local task = prefix .. id
  local fields = redis.call('HMGET', task, 'unique_key', 'group')
  local lock = fields[1]
  if not lock and fields[2] then
    lock = lock_named_in(redis.call('HGET', task, 'msg') or '')
  end
  -- Another queue's lock may lie in another slot
  local locks = string.sub(prefix, 1, -3) .. 'unique:'
  if lock and string.sub(lock, 1, #locks) == locks then
    release(lock, id)
  end
  redis.call('UNLINK', task)
end
