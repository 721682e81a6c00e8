-- Part of other scripts: arguments that come as name and value, from one of ARGV on.
local function named(first)
  local values = {}
  for i = first, #ARGV, 2 do
    values[ARGV[i]] = ARGV[i + 1]
  end
  return values
end
