-- Takes locks, or places in their queues. Also the safety poll, the confirmation of a grant and the resend after a lost
-- reply: a token that is already the owner is told so. A lock without a token is only handed on where it is free.
--
-- KEYS  per lock: owner, queue, seen
-- ARGV  [1] notAfter    server ms after which the request is void: it may have sat in a dead link
--       [2] lastFence   largest fence that the caller ever got from this server
--       [3] poll        ms between two polls of a waiting process
--       then per lock, as words in one text: 1 to queue when busy (else it is one try) + 2 when the caller listens on its wake
--                       channel + 4 when it wants to hear 'hello' there, to see that its connection is alive;
--                       and for each token: token, lease (ms), ticket (or 0 - head start in us for a new one)
--
-- Returns { now }                  void, nothing changed
--         { now, then per lock one of
--           fence                  owned (one token, nobody else about), for the lease that was asked for
--           { rest, heard, more, muted, holder, then per token: fence or 0, rest, ticket or '' }
--           an error }             only of this lock, such as a key of another type
--            rest    ms left of the owner's lease, -1 never ends, -2 free
--            heard   0 when the server sees no subscriber on the caller's channel
--            more    1 when the caller should poll again at once
--            muted   1 when the server refused to publish
local lastFence, poll = tonumber(ARGV[2]), tonumber(ARGV[3])
--- @include "includes/clock"
if now > tonumber(ARGV[1]) then return { now } end
--- @include "includes/call"
--- @include "includes/fence"
local function take(i, text)
  local owner, queue, seen = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local queued = redis.call('EXISTS', queue) == 1
  --- @include "includes/lock-newcomer"
  --- @include "includes/acquire"
end
--- @include "includes/take-all"
