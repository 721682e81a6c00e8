-- Counts the retries of a queue by when they are due. Tasks that wait for limits are none; of many of them, only the
-- first are looked at.
-- KEYS retry; waiting, see limit/wake
-- ARGV[1] present time; [2] length of a step, s; [3] how many steps; [4] prefix of task hashes; [5] at how many waiting
-- tasks to look
-- Returns how many are due in each step, those that are due already in the first.
local now = present(ARGV[1])
local step, answer, from = tonumber(ARGV[2]), {}, '-inf'
for i = 1, tonumber(ARGV[3]) do
  local to = string.format('%.0f', now + i * step)
  answer[i] = ask('ZCOUNT', KEYS[1], from, to) or 0
  from = '(' .. to
end

local function leave_out(id, due)
  local noted = due and ask('HGET', ARGV[4] .. id, 'x-waits')
  local i = noted and string.sub(noted, 1, #due + 1) == due .. '\n' and math.max(1, math.ceil((due - now) / step))
  if i and answer[i] then
    answer[i] = answer[i] - 1
  end
end

local left = tonumber(ARGV[5])
for _, needs in ipairs(ask('ZRANGE', KEYS[2], '0', left - 1) or {}) do
  local ids = left > 0 and ask('ZRANGE', KEYS[2] .. ':' .. needs, '0', left - 1) or {}
  local dues = #ids > 0 and ask('ZMSCORE', KEYS[1], unpack(ids)) or {}
  for i, id in ipairs(ids) do
    leave_out(id, dues[i])
  end
  left = left - #ids
end
return answer
