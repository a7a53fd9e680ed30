-- The general path of acquire, for lock and semaphore: what is already ours, the queue, the hand-on.
-- ARGV: [1] notAfter [2] lastFence [3] poll [4] pushable [5] wait, then per token: token, lease, ticket or '', head start (us).
-- Needs: holds(token) -> boolean, lengthen(token, lease), remaining(token) -> ms, give, fits, rest() -> ms, holder() -> text.
--- @include "includes/drive"
local tokens, callers, fences = {}, {}, {}
local waits = ARGV[5] == '1'
local me = ''

for i = 6, #ARGV, 4 do
  local token, lease = ARGV[i], tonumber(ARGV[i + 1])
  tokens[#tokens + 1] = token
  me = readToken(token)
  if holds(token) then
    -- Ours already: an answer got lost, or a message did. Also the way in which a waiter finds its grant by polling.
    lengthen(token, lease)
    fences[token] = nextFence()
    leave(token)
  else
    callers[token] = lease
  end
end

if waits then
  for i = 6, #ARGV, 4 do
    if callers[ARGV[i]] then
      -- A poll must also pass on a full server; a newcomer there is refused.
      if ARGV[i + 2] ~= '' then redis.call('PEXPIRE', queue, poll * 10) end
      local ticket = ARGV[i + 2] ~= '' and ARGV[i + 2] or newTicket(tonumber(ARGV[i + 3]))
      redis.call('ZADD', queue, 'NX', ticket, ARGV[i])
    end
  end
end

local more = 0
if redis.call('EXISTS', queue) == 1 then
  signOfLife(me, waits and ARGV[4] or nil)
  local given
  given, more = drive(callers)
  for token, fence in pairs(given) do fences[token] = fence end
end

if not waits and more == 0 then
  for _, token in ipairs(tokens) do
    local _, _, limit = readToken(token)
    if not fences[token] and fits(limit) and redis.call('EXISTS', queue) == 0 then
      give(token, callers[token])
      fences[token] = nextFence()
    end
  end
end

local heard = 1
if waits and ARGV[4] == '1' and not listens(me) then heard = 0 end
local reply = { 0, now, rest(), heard, more, muted, holder() }
for _, token in ipairs(tokens) do
  local n = #reply
  reply[n + 1] = fences[token] or ''
  reply[n + 2] = fences[token] and remaining(token) or 0
  reply[n + 3] = redis.call('ZSCORE', queue, token) or ''
  reply[n + 4] = redis.call('ZRANK', queue, token) or -1
end
return reply
