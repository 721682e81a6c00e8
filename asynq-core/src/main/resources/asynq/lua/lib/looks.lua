-- Part of other scripts: how many entries of lists were looked at. A script ends when these are so
-- many (about 5 ms): what is left is for another call.
local MOST_LOOKED_AT = 200000
local looked_at = 0
