-- Ends the holding of a lock, whoever has it, and hands on to the next waiter. The old holder is told by message.
--
-- KEYS  [1] owner  [2] queue  [3] seen
-- ARGV  [1] lastFence  [2] poll
--
-- Returns { number of holdings ended, more, muted }   more and muted as in lock-acquire-n.lua
local owner, queue, seen = KEYS[1], KEYS[2], KEYS[3]
local lastFence, poll = tonumber(ARGV[1]), tonumber(ARGV[2])
--- @include "includes/clock"
--- @include "includes/call"
--- @include "includes/lock-holder"
local tokens = { current or nil }
--- @include "includes/force-release"
