-- A newcomer takes a permit that is free. Needs: owner, queued, and what the includes named below need.
--- @include "includes/newcomer"
if newcomer and queued then newcomer = nil end
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
