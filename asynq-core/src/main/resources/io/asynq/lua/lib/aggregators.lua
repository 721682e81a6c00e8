-- Part of other scripts: counts the aggregators of a group that went down with their servers. The latest few servers
-- and times are kept, for a day.
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

-- The record of a staged set whose aggregator has begun: when the set goes back, s, and the server; nothing if there is
-- none.
local function note_of(notes, set)
  return string.match(redis.call('HGET', notes, set) or '', '^(%d+)|(.*)$')
end

-- Whether the server in a record looks dead: its set went back, and it had a few seconds to report that it gave up.
local function is_over(notes, set, now)
  local ends = note_of(notes, set)
  return ends and tonumber(ends) + 5 <= now
end
