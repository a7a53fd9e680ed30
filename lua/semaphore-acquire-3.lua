-- Takes a permit of a semaphore, or a place in its queue. As lock-acquire, with the limit that each token names.
--
-- KEYS, ARGV and return values as in lock-acquire-3.lua; `rest` is the time until the first permit comes free by itself.
local owner, queue, seen = KEYS[1], KEYS[2], KEYS[3]
local lastFence, poll = tonumber(ARGV[2]), tonumber(ARGV[3])
--- @include "includes/clock"
if now > tonumber(ARGV[1]) then return { -1, now } end
--- @include "includes/semaphore-holder"
--- @include "includes/token"
--- @include "includes/fence"
local newcomer = #ARGV == 9 and ARGV[8] == ''
if newcomer and redis.call('EXISTS', queue) == 0 and not holds(ARGV[6]) then
  local _, _, limit = readToken(ARGV[6])
  if fits(limit) then
    give(ARGV[6], tonumber(ARGV[7]))
    return { 1, now, tonumber(ARGV[7]), nextFence() }
  end
end
--- @include "includes/acquire"
