-- Renews leases. Never takes a lock that is not ours any more, never shortens a lease.
--
-- KEYS  [1..n] owners
-- ARGV  [1..n] tokens, [n+1..2n] leases (ms)
--
-- Returns per key: 1 renewed, 0 not ours
local reply = {}
for i, owner in ipairs(KEYS) do
  reply[i] = 0
  if redis.call('GET', owner) == ARGV[i] then
    reply[i] = 1
    local lease = tonumber(ARGV[#KEYS + i])
    if redis.call('PTTL', owner) < lease then redis.call('PEXPIRE', owner, lease) end
  end
end
return reply
