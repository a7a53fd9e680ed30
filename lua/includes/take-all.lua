-- The acquire scripts take one lock after the other. Needs: now, take(index of the owner key, what is asked for it).
-- Where there is one, it fails as a whole.
if #KEYS == 3 then return { now, take(1, ARGV[4]) } end

local reply = { now }
for i = 1, #KEYS / 3 do
  reply[i + 1] = answerOf(pcall(take, 3 * i - 2, ARGV[3 + i]))
end
return reply
