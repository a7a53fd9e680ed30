-- Ends all holdings of a semaphore and hands on to the waiters that fit. The old holders are told by message.
--
-- KEYS, ARGV and return values as in lock-force-release-3.lua.
local owner, queue, seen = KEYS[1], KEYS[2], KEYS[3]
local lastFence, poll = tonumber(ARGV[1]), tonumber(ARGV[2])
--- @include "includes/clock"
--- @include "includes/call"
local count = redis.call('ZCARD', owner)
--- @include "includes/semaphore-holder"
local tokens = redis.call('ZRANGE', owner, 0, -1)
--- @include "includes/force-release"
