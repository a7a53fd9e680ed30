-- Ends the holdings named in `tokens`, tells their processes, and hands on. ARGV: [1] lastFence [2] poll.
-- Needs: tokens, drop, open, fits, give.
--- @include "includes/drive"
for _, token in ipairs(tokens) do
  drop(token)
  local client = readToken(token)
  if client then tell(client, 'revoked ' .. token) end
end
local more = 0
if redis.call('EXISTS', queue) == 1 then
  signOfLife('')
  local _
  _, more = drive({})
end
return { #tokens, more, muted }
