-- Fencing tokens. The clock makes them rise even after a failover that lost the last write, where a counter would repeat.
-- Needs: nowUs, lastFence (largest fence the caller knows of).
local function nextFence()
  lastFence = math.max(nowUs, lastFence + 1)
  return string.format('%.0f', lastFence)
end
