-- Reads what a server has published of itself.
-- KEYS server, its types
-- Returns {server info, types}, each false if there is none.
return {ask('GET', KEYS[1]) or false, ask('GET', KEYS[2]) or false}
