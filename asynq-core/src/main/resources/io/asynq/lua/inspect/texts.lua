-- Reads texts.
-- KEYS of strings
-- Returns them; "" for one that does not exist or has another type.
local answer = {}
for i = 1, #KEYS do
  answer[i] = ask('GET', KEYS[i]) or ''
end
return answer
