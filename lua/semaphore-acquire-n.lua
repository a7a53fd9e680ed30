-- Takes permits of semaphores, or places in their queues. As lock-acquire, with the limit that each token names.
--
-- KEYS, ARGV and return values as in lock-acquire-n.lua; `rest` is the time until the first permit comes free by itself.
local lastFence, poll = tonumber(ARGV[2]), tonumber(ARGV[3])
--- @include "includes/clock"
if now > tonumber(ARGV[1]) then return { now } end
--- @include "includes/call"
--- @include "includes/fence"
--- @include "includes/token"
local function take(i, at, size)
  local owner, queue, seen = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local newcomer = size > 3 and size < 8 and tonumber(ARGV[at + 3]) <= 0 and redis.call('EXISTS', queue) == 0
  local count = redis.call('ZCARD', owner)
  if newcomer and count == 0 then
    local expiry = now + ARGV[at + 2]
    redis.call('ZADD', owner, expiry, ARGV[at + 1])
    redis.call('PEXPIREAT', owner, expiry)
    return nextFence(owner)
  end
  --- @include "includes/semaphore-holder"
  if newcomer and not holds(ARGV[at + 1]) then
    local _, _, limit = readToken(ARGV[at + 1])
    if fits(limit) then
      give(ARGV[at + 1], tonumber(ARGV[at + 2]))
      return nextFence(owner)
    end
  end
  --- @include "includes/acquire"
end
--- @include "includes/take-all"
