-- What most releases are: the permit is ours, and nobody queues. Needs: owner, queued, token, keep, now.
if not queued and keep == 0 then
  local expiry = redis.call('ZSCORE', owner, token)
  if not expiry then return 0 end
  redis.call('ZREM', owner, token)
  local latest = redis.call('ZREVRANGE', owner, 0, 0, 'WITHSCORES')[2]
  if latest then redis.call('PEXPIREAT', owner, latest) end
  return tonumber(expiry) > now and 1 or 0
end
