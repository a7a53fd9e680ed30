-- Reads a token, '1:client:sequence:lease:weight:limit:label'. Nothing comes back for one of another version.
local function readToken(token)
  local client, lease, limit = string.match(token, '^1:([^:]*):[^:]*:(%d+):%d+:(%d+):')
  return client, tonumber(lease), tonumber(limit)
end
