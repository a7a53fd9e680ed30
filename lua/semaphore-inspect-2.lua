-- Shows a semaphore at one moment, changes nothing.
--
-- KEYS  [1] owner  [2] queue
--
-- Returns as lock-inspect-2.lua
--- @include "includes/clock"
local holders = {}
local members = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf', 'WITHSCORES')
for i = 1, #members, 2 do
  holders[i] = members[i]
  holders[i + 1] = members[i + 1] - now
end
return { string.format('%.0f', nowUs), holders, redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES') }
