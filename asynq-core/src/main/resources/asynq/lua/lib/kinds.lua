-- Part of other scripts: what type a key has.
local function kind(key)
  return redis.call('TYPE', key).ok
end

-- Whether a key has a type, or could get it because it does not exist.
local function fits(key, expected)
  local actual = kind(key)
  return actual == expected or actual == 'none'
end
