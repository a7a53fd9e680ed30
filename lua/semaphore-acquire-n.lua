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
  --- @include "includes/newcomer"
  if newcomer and redis.call('EXISTS', queue) == 1 then newcomer = nil end
  local count = redis.call('ZCARD', owner)
  if newcomer and count == 0 then
    local expiry = now + lease
    redis.call('ZADD', owner, expiry, newcomer)
    redis.call('PEXPIREAT', owner, expiry)
    return nextFence(owner)
  end
  --- @include "includes/semaphore-holder"
  if newcomer and not holds(newcomer) then
    local _, _, limit = readToken(newcomer)
    if fits(limit) then
      give(newcomer, tonumber(lease))
      return nextFence(owner)
    end
  end
  --- @include "includes/acquire"
end
--- @include "includes/take-all"
