-- Part of other scripts: what is done on request with tasks that have left their container. The scripts have
-- ARGV[1] prefix of the queue's keys
-- ARGV[3] "run": pending at the back of the queue, crash records removed; "run_fresh": the same, with all retries
--   again; "archive": message unchanged; or "delete". Nothing is counted
-- ARGV[4] present time
-- ARGV[5] how long the archive keeps a task, s
-- ARGV[6] how many it keeps
-- Needs marks, messages, fresh, archives and time.
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
