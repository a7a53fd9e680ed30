-- Hands on: makes the heads of the queue owners for as long as they fit, and tells their processes.
-- callers: tokens of the calling process -> lease; they learn of their grant from the reply and need no message.
-- Returns the fences given to callers by token, and 1 when it stopped early because too many dead heads stood in front.
--
-- Lua has no rollback, so the order is: ask whether anybody listens before anything is given, make it owner, tell, and take
-- it out of the queue last. A grant that was made is never taken back: its message may have arrived.
-- Needs: open(), fits(limit), give(token, lease), slack, heads, and the includes named below.
--- @include "includes/token"
--- @include "includes/fence"
--- @include "includes/wake"
--- @include "includes/seen"
--- @include "includes/queue"
local UNKNOWN_VERSION_LEASE = 3000

local function drive(callers)
  local fences, gone = {}, {}
  while open() do
    local head = redis.call('ZRANGE', queue, 0, 0)[1]
    if not head then return fences, 0 end
    if heads == 0 then return fences, 1 end
    heads = heads - 1
    local client, lease, limit = readToken(head)
    if not fits(limit or 1) then return fences, 0 end
    if callers[head] then
      give(head, callers[head])
      fences[head] = nextFence(owner)
    elseif not client then
      give(head, UNKNOWN_VERSION_LEASE)
      nextFence(owner)
    elseif not gone[client] then
      local pushable, stale, heard = lifeOf(client)
      if stale or (pushable and not listens(client)) then
        gone[client] = true
      else
        give(head, lease)
        lendLife(client, pushable, heard, lease, slack)
        local fence = string.format('%.0f', nextFence(owner))
        if pushable then tell(client, 'grant ' .. head .. ' ' .. fence .. ' ' .. (now + lease) .. ' ' .. owner) end
      end
    end
    leave(head)
  end
  return fences, 0
end
