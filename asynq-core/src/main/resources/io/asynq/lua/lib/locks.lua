-- Part of other scripts: releases a unique lock if this task still holds it.
local function release(lock, id)
  if lock and lock ~= '' and redis.pcall('GET', lock) == id then
    redis.call('DEL', lock)
  end
end
