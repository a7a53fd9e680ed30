-- The wake channel of a waiting process. Channel names and messages are a wire format: processes of different versions of the
-- package talk to each other through it during a deploy.
-- In a Cluster the client sets `sharded`: there, one process has a channel for every lock, in the slot of its keys, so that
-- the node that runs the script has the subscribers, too. Needs: queue.
local sharded = false
-- After a script: muted = 1 when the server refused to publish (ACL).
local muted = 0

local function channelOf(client)
  -- What stands behind 'queue:' has the hash tag.
  if sharded then return 'wake:' .. string.sub(queue, 7) .. ':' .. client end
  return 'lock:wake:' .. client
end

-- False only when the server knows for certain that nobody listens.
local function listens(client)
  local reply = redis.pcall('PUBSUB', sharded and 'SHARDNUMSUB' or 'NUMSUB', channelOf(client))
  return reply.err ~= nil or tonumber(reply[2]) > 0
end

local function tell(client, message)
  local reply = redis.pcall(sharded and 'SPUBLISH' or 'PUBLISH', channelOf(client), message)
  if type(reply) == 'table' then muted = 1 end
end
