-- What most releases are: the lock is ours, and nobody queues. Needs: owner, queued, token, keep.
if not queued and keep == 0 then
  if redis.call('GET', owner) ~= token then return 0 end
  redis.call('DEL', owner)
  return 1
end
