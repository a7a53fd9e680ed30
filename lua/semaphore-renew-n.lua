-- Renews permits, as lock-renew does with locks.
--
-- KEYS  [1..n] owners (one may stand there several times)
-- ARGV  [1..n] tokens, [n+1..2n] leases (ms)
--
-- Returns per key: 1 renewed, 0 not ours
--- @include "includes/clock"
local reply = {}
for i, owner in ipairs(KEYS) do
  local token, expiry = ARGV[i], now + ARGV[#KEYS + i]
  local score = tonumber(redis.call('ZSCORE', owner, token) or 0)
  reply[i] = score > now and 1 or 0
  if score > now and score < expiry then
    -- First, because a full server does not refuse it, and after it takes the other write, too.
    redis.call('PEXPIRE', owner, math.max(redis.call('PTTL', owner), expiry - now))
    redis.call('ZADD', owner, 'XX', expiry, token)
    local latest = redis.call('ZREVRANGE', owner, 0, 0, 'WITHSCORES')[2]
    redis.call('PEXPIREAT', owner, latest)
  end
end
return reply
