-- Part of other scripts: the day in UTC, as yyyy-mm-dd. Years begin in March here, so that a leap day is the last of
-- its year. Floors without function calls: this is a good part of the cost of a single outcome. What is remembered
-- serves the other queues of a call.
local known_at, known_day

local function day_of(seconds)
  if known_at == seconds then return known_day end
  local day = (seconds - seconds % 86400) / 86400 + 719468
  local of_era = day % 146097
  local years = of_era - (of_era - of_era % 1460) / 1460 + (of_era - of_era % 36524) / 36524 - (of_era - of_era % 146096) / 146096
  years = (years - years % 365) / 365
  local of_year = of_era - (365 * years + (years - years % 4) / 4 - (years - years % 100) / 100)
  local month = 5 * of_year + 2
  month = (month - month % 153) / 153
  local length = 153 * month + 2
  local of_month = of_year - (length - length % 5) / 5 + 1
  local next_year = month >= 10
  local year = (day - of_era) / 146097 * 400 + years + (next_year and 1 or 0)
  known_at, known_day = seconds, string.format('%04d-%02d-%02d', year, month + (next_year and -9 or 3), of_month)
  return known_day
end
