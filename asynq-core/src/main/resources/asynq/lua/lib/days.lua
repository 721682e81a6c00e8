-- Part of other scripts: the day in UTC, as yyyy-mm-dd. Years begin in March here, so that a leap day
-- is the last of its year.
local function day_of(seconds)
  local floor = math.floor
  local day = floor(seconds / 86400) + 719468
  local era = floor(day / 146097)
  day = day - era * 146097
  local year = floor((day - floor(day / 1460) + floor(day / 36524) - floor(day / 146096)) / 365)
  day = day - (365 * year + floor(year / 4) - floor(year / 100))
  local month = floor((5 * day + 2) / 153)
  day = day - floor((153 * month + 2) / 5) + 1
  local next_year = month >= 10
  return string.format('%04d-%02d-%02d', era * 400 + year + (next_year and 1 or 0), month + (next_year and -9 or 3), day)
end
