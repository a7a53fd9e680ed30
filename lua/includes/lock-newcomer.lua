-- A newcomer takes a lock that is free. Needs: owner, queued, and what the includes named below need.
--- @include "includes/newcomer"
if newcomer and not queued and redis.call('SET', owner, newcomer, 'NX', 'PX', lease) then
  -- In this call nobody else can get this lock.
  return firstFence
end
--- @include "includes/lock-holder"
