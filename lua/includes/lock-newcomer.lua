-- A newcomer takes a lock that is free. Needs: owner, queued, and what the includes named below need.
--- @include "includes/newcomer"
if newcomer and not queued and redis.call('SET', owner, newcomer, 'NX', 'PX', lease) then
  return nextFence(owner)
end
--- @include "includes/lock-holder"
