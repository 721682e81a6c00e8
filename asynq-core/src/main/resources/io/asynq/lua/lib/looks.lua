-- Part of other scripts: the look limit: how many list entries a script may look at (about 5 ms). What is left is for
-- another call.
local MOST_LOOKED_AT = 200000
local looked_at = 0
