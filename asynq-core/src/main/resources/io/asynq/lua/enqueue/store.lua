-- Stores tasks of one queue, each by itself.
-- KEYS pending
-- ARGV[1] prefix of the queue's keys; [2] present time: groups are due by it; [3] present time of the client, ns; [4…]
-- seven for each task: state; id; message; when, s, or ""; group or ""; lock or ""; its life, s, or ""
-- Returns one code per task, see lib/store.
local codes, now, now_ns = {}, nil, nil
for i = 4, #ARGV, 7 do
  local state, id, message, at, group, lock, ttl = unpack(ARGV, i, i + 6)
  local grouped = state == 'aggregating'
  if grouped and not now then
    now, now_ns = present(ARGV[2])
  end
  codes[#codes + 1] = store(state, id, message, at, group, lock, ttl, now, grouped and now_ns or ARGV[3])
end
return codes
