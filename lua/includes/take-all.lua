-- The acquire scripts take one lock after the other. Needs: now, take(index of the owner key, index of the arguments, size).
-- Where there is one, it fails as a whole.
if #KEYS == 3 then return { now, take(1, 4, tonumber(ARGV[4])) } end

local reply, at = { now }, 4
for i = 1, #KEYS, 3 do
  local size = tonumber(ARGV[at])
  reply[#reply + 1] = answerOf(pcall(take, i, at, size))
  at = at + 1 + 3 * math.floor(size / 4)
end
return reply
