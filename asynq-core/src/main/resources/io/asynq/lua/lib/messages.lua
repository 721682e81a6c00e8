-- Part of other scripts: releases the unique lock of a deleted task. Go's grouped tasks name their lock in the message
-- only. Needs locks.
local function varint(bytes, at)
  local value, scale = 0, 1
  for i = at, at + 9 do
    local byte = string.byte(bytes, i)
    if not byte then return nil end
    value = value + byte % 128 * scale
    scale = scale * 128
    if byte < 128 then return value, i + 1 end
  end
  return nil
end

-- The field that begins at a byte of a message: its tag, where its content begins, where the next field begins; nothing
-- if the bytes are no message.
local function field(message, at)
  local tag, content = varint(message, at)
  local wire = tag and tag % 8
  local length, past = wire == 1 and 8 or wire == 5 and 4, nil
  if wire == 0 then
    length, past = varint(message, content)
  elseif wire == 2 then
    length, content = varint(message, content)
  end
  past = past or length and content + length
  if past and past <= #message + 1 then return tag, content, past end
end

-- Field 10 of a message, nil if there is none or the bytes are no message.
local function lock_named_in(message)
  local lock, at = nil, 1
  while at <= #message do
    local tag, content, past = field(message, at)
    if not tag then return nil end
    lock = tag == 82 and string.sub(message, content, past - 1) or lock
    at = past
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
