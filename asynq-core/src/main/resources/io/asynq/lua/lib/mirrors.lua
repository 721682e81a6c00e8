-- Part of other scripts: the parts of x-attempt (see fences).

-- Returns the fence; the end of the lease as text, nil if there is none; "!" if there are marks.
local function parts_of(noted)
  local fence, ends, mark = string.match(noted or '', '^(.*)@([^!]*)(!?)$')
  return fence or noted, ends, mark
end

-- Returns the fence of the attempt of ours that a lease with such an end belongs to, "" if there is none.
local function holder_of(noted, score)
  local fence, ends = parts_of(noted)
  return (not ends or tonumber(ends) == tonumber(score)) and fence or ''
end

-- How long the leases of a fence last, ms.
local function lasts_of(fence)
  return tonumber(string.match(fence, '~(%d+)$') or 30000)
end

-- Records the end of a lease with an attempt of ours: while both are the same, the lease is ours.
local function note_lease(task, ends)
  local noted = redis.pcall('HGET', task, 'x-attempt')
  if type(noted) == 'string' then
    local fence, _, mark = parts_of(noted)
    redis.call('HSET', task, 'x-attempt', fence .. '@' .. ends .. (mark or '!'))
  end
end
