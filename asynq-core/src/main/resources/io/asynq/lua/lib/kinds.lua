-- Part of other scripts: types of keys.
local function kind(key)
  return redis.call('TYPE', key).ok
end

local function fits(key, expected)
  local actual = kind(key)
  return actual == expected or actual == 'none'
end
