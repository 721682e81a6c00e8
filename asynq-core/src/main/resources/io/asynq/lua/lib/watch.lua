-- Part of other scripts: for how long leases have not moved. This is recorded with the task, so that servers share
-- their observations. They are valid only while Redis's clock is not changed, which shows as a gap between looks.
-- The script has
-- KEYS[1] lease   KEYS[3] watched: since when, and the last look, ms
-- ARGV[1] present time
-- ARGV[2] prefix of task hashes
-- ARGV[6] longest gap between two looks, ms
-- ARGV[7] how long a lease lasts, ms
-- Needs mirrors and time.
local now, _, exact = present(ARGV[1])
local now_ms = math.floor(exact * 1000)

local function watched_since()
  local noted = redis.pcall('GET', KEYS[3])
  local since, last = string.match(type(noted) == 'string' and noted or '', '^(%d+) (%d+)$')
  since, last = tonumber(since), tonumber(last)
  local gapless = last and last <= now_ms and now_ms - last <= tonumber(ARGV[6])
  if not gapless then
    since = now_ms
  end
  if not gapless or now_ms - last >= ARGV[6] / 4 then
    redis.pcall('SET', KEYS[3], string.format('%.0f %.0f', since, now_ms), 'PX', ARGV[6])
  end
  return since
end

-- For how long a lease has not moved, as far as known since the watch began.
local function standstill(task, ends, noted, since)
  local seen_end, seen = string.match(noted or '', '^(%S+) (%d+)$')
  seen = tonumber(seen)
  if seen_end ~= ends or seen > now_ms then
    redis.pcall('HSET', task, 'x-seen', string.format('%s %.0f', ends, now_ms))
    return 0
  end
  return now_ms - math.max(seen, since)
end

-- Ends leases of ours that end later than they could, because Redis's clock was set back, once they have not moved
-- for their length: a live holder would have extended them. The fence names the length if it is not the default. If
-- many end so late, because Go's clocks are ahead, a different part of them is looked at each time.
local function end_astray(since)
  local late = '(' .. string.format('%.0f', math.ceil(exact + ARGV[7] / 1000))
  local count = redis.call('ZCOUNT', KEYS[1], late, '+inf')
  local first = count > 100 and now_ms % 9973 * 7919 % (count - 99) or 0
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], late, '+inf', 'LIMIT', string.format('%.0f', first), 100)) do
    local task = ARGV[2] .. id
    local fields = redis.pcall('HMGET', task, 'x-attempt', 'x-crashed-at', 'x-seen')
    local score = redis.call('ZSCORE', KEYS[1], id)
    local fence, ends, mark = parts_of(fields[1])
    local lasts = ends and lasts_of(fence)
    if ends and ends == score and tonumber(score) > math.ceil(exact + lasts / 1000) then
      local still = standstill(task, score, fields[3], since)
      if still >= math.max(lasts, tonumber(ARGV[7])) then
        redis.call('ZADD', KEYS[1], 'XX', now, id)
        redis.call('HSET', task, 'x-attempt', fence .. '@' .. now .. mark, 'x-seen', string.format('%.0f %.0f', now, now_ms - still))
        if fields[2] == score then
          redis.call('HSET', task, 'x-crashed-at', now)
        end
      end
    end
  end
end
