-- The general path of release and cancel, for lock and semaphore.
-- Needs: token, keep (ms for which the holding stays closed, 0 = none), queued, holds(token), drop(token),
-- keepClosed(token, ms), fits, give.
--- @include "includes/drive"
local released = holds(token)
local more = 0

if queued then
  -- One value: what else a token says is no news of whether its process can be pushed.
  local client = readToken(token)
  signOfLife(client)
  leave(token)
end
if released then
  if keep > 0 then keepClosed(token, keep) else drop(token) end
end
-- Also when the token was only waiting: it may have been the head that kept smaller ones behind it from entering.
if queued then
  local _
  _, more = drive({})
end
if more == 0 and muted == 0 then return released and 1 or 0 end
return { released and 1 or 0, more, muted }
