-- The general path of release and cancel, for lock and semaphore.
-- ARGV: [1] token [2] lastFence [3] poll [4] keep (ms for which the holding stays closed, 0 = none).
-- Needs: holds(token), drop(token), keepClosed(token, ms), fits, give.
--- @include "includes/drive"
local token, keep = ARGV[1], tonumber(ARGV[4])
local released = holds(token)
local more = 0

if redis.call('EXISTS', queue) == 1 then
  -- One value: what else a token says is no news of whether its process can be pushed.
  local client = readToken(token)
  signOfLife(client)
  leave(token)
end
if released then
  if keep > 0 then keepClosed(token, keep) else drop(token) end
end
-- Also when the token was only waiting: it may have been the head that kept smaller ones behind it from entering.
if redis.call('EXISTS', queue) == 1 then
  local _
  _, more = drive({})
end
return { released and 1 or 0, more, muted }
