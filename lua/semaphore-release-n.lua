-- Gives permits back, or leaves queues, and hands on to every head that now fits.
--
-- KEYS, ARGV and return values as in lock-release-n.lua.
local lastFence, poll = tonumber(ARGV[1]), tonumber(ARGV[2])
--- @include "includes/clock"
--- @include "includes/call"
local function giveBack(i, token, keep)
  local owner, queue, seen = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local queued = redis.call('EXISTS', queue) == 1
  --- @include "includes/semaphore-leaver"
  local count = redis.call('ZCARD', owner)
  --- @include "includes/semaphore-holder"
  --- @include "includes/release"
end
--- @include "includes/give-back-all"
