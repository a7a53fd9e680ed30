-- The holder of a lock: a string with a TTL. Needs: owner.
local current = redis.call('GET', owner)
local slack = 0

local function holds(token) return current == token end
local function open() return not current end
local function fits() return not current end
local function remaining() return redis.call('PTTL', owner) end
local function rest() return redis.call('PTTL', owner) end
local function holder() return current or '' end

local function give(token, lease)
  redis.call('SET', owner, token, 'PX', lease)
  current = token
end

-- Only ever longer: two renewals may be under way, and an older one must not undo what a newer one promised.
local function lengthen(_, lease)
  if redis.call('PTTL', owner) < lease then redis.call('PEXPIRE', owner, lease) end
end

local function drop()
  redis.call('DEL', owner)
  current = false
end

-- The new value keeps late renewals and resent releases of the old token away from the rest.
local function keepClosed(token, ms)
  -- First, because a full server does not refuse it, and after it takes the other write, too.
  redis.call('PEXPIRE', owner, ms)
  give('kept:' .. string.match(token, '([^:]*)$'), ms)
end
