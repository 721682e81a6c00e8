-- Reads what stands beside a task.
-- KEYS task hash, lease
-- ARGV[1] present time; [2] task id; [3] the unique lock that it may have if none was stored with it, as with groups
-- Returns {name of its lock or "" if it has none or another task holds it; end of its lease or ""; present time, ns}.
local _, now_ns = present(ARGV[1])
local lock = ask('HGET', KEYS[1], 'unique_key') or ARGV[3]
if ask('GET', lock) ~= ARGV[2] then
  lock = ''
end
return {lock, ask('ZSCORE', KEYS[2], ARGV[2]) or '', now_ns}
