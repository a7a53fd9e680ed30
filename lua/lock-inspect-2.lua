-- Shows a lock at one moment, changes nothing.
--
-- KEYS  [1] owner  [2] queue
--
-- Returns { now us, { token, rest, ... }, { token, ticket, ... } }   rest in ms, -1 = never ends
local time = redis.call('TIME')
local token = redis.call('GET', KEYS[1])
return {
  string.format('%.0f', time[1] * 1000000 + time[2]),
  token and { token, redis.call('PTTL', KEYS[1]) } or {},
  redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES'),
}
