-- Part of other scripts: what is done on request with tasks that have left their container. The scripts have
-- ARGV[1] prefix of the queue's keys; [3] "run": pending at the back of the queue, crash records removed; "run_fresh":
-- the same, with all retries again; "archive": message unchanged; or "delete". Nothing is counted; [4] present time;
-- [5] how long the archive keeps a task, s; [6] how many it keeps
-- Needs marks, messages, archives and time.

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

local HASHES, TARGET = ARGV[1] .. 't:', ({run = 'pending', run_fresh = 'pending', archive = 'archived'})[ARGV[3]]
local now, now_ns = present(ARGV[4])
local moved = {}

local function act(id)
  moved[#moved + 1] = id
  if TARGET == 'pending' then
    redis.call('HSET', HASHES .. id, 'state', 'pending', 'pending_since', now_ns)
    forget_all(HASHES .. id)
    if ARGV[3] == 'run_fresh' then
      refresh(HASHES .. id)
    end
  elseif TARGET == 'archived' then
    redis.call('HSET', HASHES .. id, 'state', 'archived')
    redis.call('HDEL', HASHES .. id, 'pending_since')
  else
    delete_task(HASHES, id)
  end
end

-- Call this after the last one.
local function arrive()
  if TARGET == 'pending' and #moved > 0 then
    redis.call('LPUSH', ARGV[1] .. TARGET, unpack(moved))
  elseif TARGET == 'archived' then
    into_archive(ARGV[1] .. TARGET, HASHES, moved, now, ARGV[5], ARGV[6])
  end
end
