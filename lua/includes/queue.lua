-- The queue of waiters: token -> ticket (server microseconds). Needs: queue, seen, nowUs.

-- A new ticket stands behind all others also when the server's clock went back.
local function newTicket(headStart)
  local last = redis.call('ZREVRANGE', queue, 0, 0, 'WITHSCORES')[2]
  return string.format('%.0f', math.max(nowUs, tonumber(last or 0) + 1) - headStart)
end

-- The script that takes the last entry out leaves nothing behind.
local function leave(token)
  if redis.call('ZREM', queue, token) == 1 and redis.call('EXISTS', queue) == 0 then redis.call('DEL', seen) end
end
