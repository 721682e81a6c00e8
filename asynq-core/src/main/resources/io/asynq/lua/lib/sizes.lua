-- Part of other scripts: how many ids a key holds, 0 if it is no container, or not of the type. Needs kinds.
local SIZES = {list = 'LLEN', zset = 'ZCARD'}

local function size(key, expected)
  local actual = kind(key)
  return SIZES[actual] and (expected or actual) == actual and redis.call(SIZES[actual], key) or 0
end
