-- The server's clock, the only one that the scripts know: nowUs in microseconds, now in milliseconds.
local time = redis.call('TIME')
local nowUs = time[1] * 1000000 + time[2]
local now = math.floor(nowUs / 1000)
