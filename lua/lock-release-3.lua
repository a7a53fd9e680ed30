-- Gives a lock back, or leaves its queue, and hands on to the head of the queue. Nothing happens to a lock that is not ours.
--
-- KEYS  [1] owner  [2] queue  [3] seen
-- ARGV  [1] token
--       [2] lastFence   largest fence that the caller used or got from this server
--       [3] poll        ms between two polls of a waiting process
--       [4] keep        ms for which the lock stays closed to everybody (minHold), 0 = none
--
-- Returns { released 1 or 0, more, muted }   more and muted as in lock-acquire-3.lua
local owner, queue, seen = KEYS[1], KEYS[2], KEYS[3]
if ARGV[4] == '0' and redis.call('EXISTS', queue) == 0 then
  if redis.call('GET', owner) ~= ARGV[1] then return { 0, 0, 0 } end
  redis.call('DEL', owner)
  return { 1, 0, 0 }
end
local lastFence, poll = tonumber(ARGV[2]), tonumber(ARGV[3])
--- @include "includes/clock"
--- @include "includes/lock-holder"
--- @include "includes/release"
