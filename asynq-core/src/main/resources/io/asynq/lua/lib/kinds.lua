-- Part of other scripts: types of keys.
local function kind(key)
  return redis.call('TYPE', key).ok
end

-- Whether a key has a type or does not exist.
local function fits(key, expected)
  local actual = kind(key)
  return actual == expected or actual == 'none'
end
