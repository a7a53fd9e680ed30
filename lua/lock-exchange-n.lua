-- Gives locks back and takes locks: what a release and an acquire of one tick would do one after the other. Locks that are to
-- stay closed behind their holder (minHold) are given back by lock-release.
--
-- KEYS  per lock: owner, queue, seen; first those that are given back
-- ARGV  [1] notAfter, [2] lastFence, [3] poll   as in lock-acquire-n.lua; where the request is void, locks are given back all the same
--       [4] givenBack   how many locks are given back
--       then per lock   its token, or what is asked for as in lock-acquire-n.lua
--
-- Returns { now, then per lock what lock-release or lock-acquire says of it }, without the latter where the request is void
local lastFence, poll, givenBack = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
--- @include "includes/clock"
--- @include "includes/call"
--- @include "includes/fence"
local function exchange(i, token, text)
  local owner, queue, seen = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local queued, keep = redis.call('EXISTS', queue) == 1, 0
  if token then
    --- @include "includes/lock-leaver"
  end
  --- @include "includes/lock-newcomer"
  --- @include "includes/drive"
  if token then
    --- @include "includes/release"
  end
  --- @include "includes/acquire"
end
--- @include "includes/exchange-all"
