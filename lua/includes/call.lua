-- What the locks of one call have in common.
-- Heads that may still be looked at: dead ones must not keep the server busy for long, however many locks are asked for.
local heads = 2000
-- Owner key -> the last fence that this call gave for it.
local given = {}

-- Lua has no rollback: what fails for one lock (its key holds another type, say) is its own answer, and the others go on.
local function answerOf(ok, answer)
  if ok then return answer end
  -- Redis 6.2 puts the place in front.
  return { err = string.match(answer, '^@user_script: ?%d+: %-?(.+)$') or answer }
end
