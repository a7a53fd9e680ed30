-- What most calls are: one token that has no ticket yet. A poll takes the other path, which passes on a full server.
-- Needs: text (see lock-acquire-n.lua). Gives: newcomer (its token) and lease, or nothing.
local newcomer, lease, place = string.match(text, '^%d (%S+) (%d+) (%S+)$')
if newcomer and tonumber(place) > 0 then newcomer = nil end
