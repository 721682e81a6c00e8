-- Part of other scripts: counts for a group that its aggregator went down with its server. Which
-- servers and when is kept of the latest few. What nobody adds to for a day goes.
local function with_crash(record, server, seconds)
  local before, deaths = string.match(record or '', '^(%d+)|(.*)$')
  local all = (deaths and deaths .. ',' or '') .. server .. ' ' .. string.format('%.0f', seconds)
  if #all > 500 then
    all = string.match(string.sub(all, -500), '^[^,]*,(.*)$') or ''
  end
  return string.format('%.0f', (tonumber(before) or 0) + 1) .. '|' .. all
end

local function count_crash(crashes, group, server, seconds)
  redis.call('HSET', crashes, group, with_crash(redis.call('HGET', crashes, group), server, seconds))
  redis.call('EXPIRE', crashes, 86400)
end

-- What is noted of a staged set whose aggregator has begun: when the set goes back, s, and the server;
-- nothing if there is no such note.
local function note_of(notes, set)
  return string.match(redis.call('HGET', notes, set) or '', '^(%d+)|(.*)$')
end

-- Whether the server that a note names looks dead: its set has gone back, and it had a few seconds to
-- say that it gave the aggregator up.
local function is_over(notes, set, now)
  local ends = note_of(notes, set)
  return ends and tonumber(ends) + 5 <= now
end
