-- Stores tasks of one queue, each by itself; some may take the place of archived ones.
-- KEYS pending
-- ARGV[1] prefix of the queue's keys; [2] present time: groups are due by it; [3] present time of the client, ns; [4…]
-- eight for each task: state; id; message; when, s, or ""; group or ""; lock or ""; its life, s, or ""; "1" if it may
-- take the place of an archived task with its id, or ""
-- Returns one code per task, see lib/store.
local codes, now, now_ns = {}, nil, nil
for i = 4, #ARGV, 8 do
  local state, id, message, at, group, lock, ttl, replaces = unpack(ARGV, i, i + 7)
  local grouped = state == 'aggregating'
  if grouped and not now then
    now, now_ns = present(ARGV[2])
  end
  local since = grouped and now_ns or ARGV[3]
  codes[#codes + 1] = store_or_replace(state, id, message, at, group, lock, ttl, now, since, replaces)
end
return codes
