-- Checks one slice of a container for ids that seem out of place.
-- KEYS container
-- ARGV first index; last index; prefix of task hashes; state of the tasks in it
-- Returns {ids in the slice, {id, 1 if it seems out of place, 1 if its score is no whole number, …}}: all ids of a
-- list, only conspicuous ones of a sorted set; {0, {}} when it is neither.
local container_kind = kind(KEYS[1])
local is_list = container_kind == 'list'
if not is_list and container_kind ~= 'zset' then return {0, {}} end
local entries = is_list and redis.call('LRANGE', KEYS[1], ARGV[1], ARGV[2])
  or redis.call('ZRANGE', KEYS[1], ARGV[1], ARGV[2], 'WITHSCORES')
local answer = {}
local step = is_list and 1 or 2
for i = 1, #entries, step do
  local state = redis.pcall('HGET', ARGV[3] .. entries[i], 'state')
  local strange = state ~= ARGV[4] and 1 or 0
  local fraction = not is_list and not string.match(entries[i + 1], '^%-?%d+$') and 1 or 0
  if is_list or strange == 1 or fraction == 1 then
    answer[#answer + 1], answer[#answer + 2], answer[#answer + 3] = entries[i], strange, fraction
  end
end
return {#entries / step, answer}
