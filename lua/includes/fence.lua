-- Fencing tokens. The clock makes them rise even after a failover that lost the last write, where a counter would repeat.
-- They rise for each lock by itself: were they counted through all locks of a call, the last ones would be ahead of the clock
-- and of the fence that another process gets next. Needs: nowUs, lastFence (largest one the caller knows of), given.
local firstFence = math.max(nowUs, lastFence + 1)

local function nextFence(owner)
  local last = given[owner]
  local fence = last and last + 1 or firstFence
  given[owner] = fence
  return fence
end
