-- The general path of acquire, for lock and semaphore: what is already ours, the queue, the hand-on.
-- Needs: text (see lock-acquire-n.lua), queued, holds(token) -> boolean, lengthen(token, lease), remaining(token) -> ms, give,
-- fits, rest() -> ms, holder() -> text.
--- @include "includes/drive"
local tokens, callers, fences, tickets = {}, {}, {}, {}
local words = {}
for word in string.gmatch(text, '%S+') do words[#words + 1] = word end
local manner = tonumber(words[1])
local waits, pushable, greeted = manner % 2 == 1, manner % 4 >= 2, manner >= 4
local me, entered = '', false

for j = 2, #words, 3 do
  local token, lease = words[j], tonumber(words[j + 1])
  tokens[#tokens + 1] = token
  me = readToken(token)
  if holds(token) then
    -- Ours already: an answer got lost, or a message did. Also the way in which a waiter finds its grant by polling.
    lengthen(token, lease)
    fences[token] = nextFence(owner)
    leave(token)
  else
    callers[token] = lease
  end
end

if waits then
  for j = 2, #words, 3 do
    local token, place = words[j], tonumber(words[j + 2])
    if callers[token] then
      -- A poll must also pass on a full server; a newcomer there is refused.
      if place > 0 then redis.call('PEXPIRE', queue, poll * 10) end
      local ticket = place > 0 and words[j + 2] or newTicket(-place)
      if redis.call('ZADD', queue, 'NX', ticket, token) == 1 then tickets[token] = ticket end
      entered = true
    end
  end
end

local more = 0
if entered or (queued and redis.call('EXISTS', queue) == 1) then
  -- Of one that does not wait it is no news whether its process can be pushed.
  if waits then signOfLife(me, pushable) else signOfLife(me) end
  local got
  got, more = drive(callers)
  for token, fence in pairs(got) do fences[token] = fence end
end

if not waits and more == 0 then
  for _, token in ipairs(tokens) do
    local _, _, limit = readToken(token)
    if not fences[token] and fits(limit) and redis.call('EXISTS', queue) == 0 then
      give(token, callers[token])
      fences[token] = nextFence(owner)
    end
  end
end

local heard = 1
if waits and pushable and not listens(me) then heard = 0 end
if greeted and heard == 1 then tell(me, 'hello') end
local answer = { rest(), heard, more, muted, holder() }
for _, token in ipairs(tokens) do
  local n, fence = #answer, fences[token]
  answer[n + 1] = fence or 0
  answer[n + 2] = fence and remaining(token) or 0
  answer[n + 3] = not fence and (tickets[token] or redis.call('ZSCORE', queue, token)) or ''
end
return answer
