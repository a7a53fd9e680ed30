-- Signs of life of the waiting processes. seen: client -> ms of its last sign of life, negative while it cannot be pushed;
-- '*' = last script that touched the queue; 'since' = when scripts came again after a gap.
-- Needs: queue, seen, now, poll (ms between two polls of a waiting process).
local since = 0

-- Every script that touches an existing queue calls this first. The PEXPIRE comes before all other writes because it is
-- one that a full server does not refuse, and after it the others pass too.
-- pushable: true, false, or nil to keep what is known and to add nothing for a client that does not wait.
local function signOfLife(client, pushable)
  redis.call('PEXPIRE', queue, poll * 10)
  local marks = redis.call('HMGET', seen, '*', 'since', client)
  since = tonumber(marks[2] or 0)
  if marks[1] and now - marks[1] > poll * 1.5 then
    -- A server that stood still must not take its waiters for dead.
    since = now
    redis.call('HSET', seen, 'since', now)
  end
  local mark = now
  if pushable == false or (pushable == nil and marks[3] and tonumber(marks[3]) < 0) then mark = -now end
  if pushable ~= nil or marks[3] then
    redis.call('HSET', seen, '*', now, client, mark)
  else
    redis.call('HSET', seen, '*', now)
  end
  redis.call('PEXPIRE', seen, poll * 10)
end

-- Whether a client can be pushed, whether it has not been heard of for three polls, and its last sign of life.
local function lifeOf(client)
  local mark = tonumber(redis.call('HGET', seen, client) or nil)
  if not mark then return true, false, now end
  local heard = math.abs(mark)
  return mark >= 0, now - math.max(heard, since) >= poll * 3, heard
end

-- After a hand-off the client's sign of life ends with the lease it got, and `slack` ms later where other holders go on:
-- when that lease lapses, all its other waiters are passed over, too. It never ends later than it would have: otherwise a
-- client that stands still would live on by every hand-off that it misses, and cost a lease for each of its waiters.
local function lendLife(client, pushable, heard, lease, slack)
  local mark = math.min(heard, now + lease + slack - poll * 3)
  redis.call('HSET', seen, client, pushable and mark or -mark)
end
