-- Gives locks back, or leaves their queues, and hands on to the heads of the queues. Nothing happens to a lock that is not ours.
--
-- KEYS  per lock: owner, queue, seen
-- ARGV  [1] lastFence   largest fence that the caller used or got from this server
--       [2] poll        ms between two polls of a waiting process
--       then a token for each lock, and then, unless none is kept,
--       for each lock   ms for which it stays closed to everybody (minHold), 0 = none
--
-- Returns per lock: released 1 or 0, or { released, more, muted } (as in lock-acquire-n.lua), or an error that is only its own
--- @include "includes/call"
local function giveBack(i, token, keep)
  local owner, queue, seen = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local queued = redis.call('EXISTS', queue) == 1
  --- @include "includes/lock-leaver"
  local lastFence, poll = tonumber(ARGV[1]), tonumber(ARGV[2])
  --- @include "includes/clock"
  --- @include "includes/lock-holder"
  --- @include "includes/release"
end
--- @include "includes/give-back-all"
