-- Takes permits of semaphores, or places in their queues. As lock-acquire, with the limit that each token names.
--
-- KEYS, ARGV and return values as in lock-acquire-n.lua; `rest` is the time until the first permit comes free by itself.
local lastFence, poll = tonumber(ARGV[2]), tonumber(ARGV[3])
--- @include "includes/clock"
if now > tonumber(ARGV[1]) then return { now } end
--- @include "includes/call"
--- @include "includes/fence"
--- @include "includes/token"
local function take(i, text)
  local owner, queue, seen = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local queued = redis.call('EXISTS', queue) == 1
  --- @include "includes/semaphore-newcomer"
  --- @include "includes/acquire"
end
--- @include "includes/take-all"
