-- The holders of a semaphore: a ZSET token -> expiry in server ms. Needs: owner, now, poll, count (members, with those that ran out).
-- The purge is a write, after which a full server would not refuse a newcomer any more: only where there is something to purge.
if count > 0 and tonumber(redis.call('ZRANGE', owner, 0, 0, 'WITHSCORES')[2]) <= now then
  redis.call('ZREMRANGEBYSCORE', owner, '-inf', now)
  count = redis.call('ZCARD', owner)
end
-- Other holders go on after a lapsed hand-off, so its client is given time for one more poll.
local slack = poll

local function holds(token) return redis.call('ZSCORE', owner, token) ~= false end
-- How many fit is up to the one that wants to enter.
local function open() return true end
local function fits(limit) return count < limit end
local function remaining(token) return redis.call('ZSCORE', owner, token) - now end
local function holder() return '' end

-- Until the first permit comes free by itself.
local function rest()
  local first = redis.call('ZRANGE', owner, 0, 0, 'WITHSCORES')[2]
  return first and first - now or -2
end

local function followLatestExpiry()
  local latest = redis.call('ZREVRANGE', owner, 0, 0, 'WITHSCORES')[2]
  if latest then redis.call('PEXPIREAT', owner, latest) end
end

local function give(token, lease)
  redis.call('ZADD', owner, now + lease, token)
  followLatestExpiry()
  count = count + 1
end

local function lengthen(token, lease)
  if remaining(token) < lease then
    -- First, because a full server does not refuse it, and after it takes the other write, too.
    redis.call('PEXPIRE', owner, math.max(redis.call('PTTL', owner), lease))
    redis.call('ZADD', owner, 'XX', now + lease, token)
    followLatestExpiry()
  end
end

local function drop(token)
  redis.call('ZREM', owner, token)
  followLatestExpiry()
  count = count - 1
end

-- The new member keeps late renewals and resent releases of the old token away from the rest.
local function keepClosed(token, ms)
  local client, sequence, label = string.match(token, '^1:([^:]*):([^:]*):.-([^:]*)$')
  drop(token)
  give('kept:' .. string.sub(client, -8) .. sequence .. ':' .. label, ms)
end
