-- The exchange scripts give one lock back after the other, and then take one after the other.
-- Needs: now, givenBack (how many), exchange(index of the owner key, token or nil, what is asked for or '').
local reply, count = { now }, #KEYS / 3
for i = 1, givenBack do
  reply[i + 1] = answerOf(pcall(exchange, 3 * i - 2, ARGV[4 + i], ''))
end
if now > tonumber(ARGV[1]) then return reply end
for i = givenBack + 1, count do
  reply[i + 1] = answerOf(pcall(exchange, 3 * i - 2, nil, ARGV[4 + i]))
end
return reply
