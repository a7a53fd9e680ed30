-- The wake channel of a waiting process. Channel name and messages are a wire format: processes of different versions of the
-- package talk to each other through it during a deploy.
-- After a script: muted = 1 when the server refused to publish (ACL).
local muted = 0

local function channelOf(client)
  return 'lock:wake:' .. client
end

-- False only when the server knows for certain that nobody listens.
local function listens(client)
  local reply = redis.pcall('PUBSUB', 'NUMSUB', channelOf(client))
  return reply.err ~= nil or tonumber(reply[2]) > 0
end

local function tell(client, message)
  local reply = redis.pcall('PUBLISH', channelOf(client), message)
  if type(reply) == 'table' then muted = 1 end
end
