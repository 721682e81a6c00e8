-- Moves a slice of a container's tasks that are in no other container. An id without a task is removed. Moves fewer,
-- but at least one, when the look limit is reached.
-- KEYS source
-- ARGV[1] to ARGV[6] see acts; [2] prefix of our own keys of the queue; [7] how many ids at most, up to 1,000; [8]
-- state of the tasks in the source; [9] group, "" for none
-- Returns {ids that were there before, ids that have left, tasks that have moved}.
local state, group = ARGV[8], ARGV[9]
local there = must(SIZES[type_of(container_of(state, group))], KEYS[1])
if TARGET then
  must(SIZES[type_of(TARGET)], ARGV[1] .. TARGET)
end
if group ~= '' then
  must('SCARD', ARGV[1] .. 'groups')
end
local ids, scores, taken = {}, {}, 0
if there > 0 then
  ids, scores = take_ids(KEYS[1], tonumber(ARGV[7]))
end
for i, id in ipairs(ids) do
  local elsewhere = true
  if kind(HASHES .. id) == 'hash' then
    local fields = redis.call('HMGET', HASHES .. id, 'state', 'group')
    elsewhere = false
    if fields[1] ~= state then
      elsewhere = stands(id, fields[1], fields[2])
    end
  end
  if elsewhere == nil then
    put_back(KEYS[1], ids, scores, i)
    break
  elseif not elsewhere then
    act(id)
  end
  taken = i
end
if group ~= '' and redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('SREM', ARGV[1] .. 'groups', group)
end
arrive()
return {there, taken, #moved}
