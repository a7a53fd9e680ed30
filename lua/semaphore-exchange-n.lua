-- Gives permits back and takes permits, as lock-exchange does with locks.
--
-- KEYS, ARGV and return values as in lock-exchange-n.lua.
local lastFence, poll, givenBack = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
--- @include "includes/clock"
--- @include "includes/call"
--- @include "includes/fence"
--- @include "includes/token"
local function exchange(i, token, text)
  local owner, queue, seen = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local queued, keep = redis.call('EXISTS', queue) == 1, 0
  if token then
    --- @include "includes/semaphore-leaver"
  end
  --- @include "includes/semaphore-newcomer"
  --- @include "includes/drive"
  if token then
    --- @include "includes/release"
  end
  --- @include "includes/acquire"
end
--- @include "includes/exchange-all"
