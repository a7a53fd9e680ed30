-- Gives a permit back, or leaves the queue, and hands on to every head that now fits.
--
-- KEYS, ARGV and return values as in lock-release-3.lua.
local owner, queue, seen = KEYS[1], KEYS[2], KEYS[3]
local lastFence, poll = tonumber(ARGV[2]), tonumber(ARGV[3])
--- @include "includes/clock"
--- @include "includes/semaphore-holder"
--- @include "includes/release"
