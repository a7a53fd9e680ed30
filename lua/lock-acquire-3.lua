-- Takes a lock, or takes a place in its queue. Also the safety poll, the confirmation of a grant and the resend after a lost
-- reply: a token that is already the owner is told so. Without a token it only hands a free lock on.
--
-- KEYS  [1] owner  [2] queue  [3] seen
-- ARGV  [1] notAfter    server ms after which the request is void: it may have sat in a dead link
--       [2] lastFence   largest fence that the caller ever got from this server
--       [3] poll        ms between two polls of a waiting process
--       [4] pushable    1 when the caller listens on its wake channel
--       [5] wait        1 to queue when busy, 0 to try
--       then per token: token, lease (ms), ticket ('' for a new one), head start (us)
--
-- Returns { -1, now }                  void, nothing changed
--         { 1, now, rest, fence }      owned (one token, nobody else about)
--         { 0, now, rest, heard, more, muted, holder, then per token: fence or '', rest, ticket or '', position or -1 }
--            rest    ms left of the owner's lease, -1 never ends, -2 free
--            heard   0 when the server sees no subscriber on the caller's channel
--            more    1 when the caller should poll again at once
--            muted   1 when the server refused to publish
local owner, queue, seen = KEYS[1], KEYS[2], KEYS[3]
local lastFence, poll = tonumber(ARGV[2]), tonumber(ARGV[3])
--- @include "includes/clock"
if now > tonumber(ARGV[1]) then return { -1, now } end
--- @include "includes/fence"
-- One newcomer; a poll takes the other path, which passes on a full server.
local newcomer = #ARGV == 9 and ARGV[8] == ''
if newcomer and redis.call('EXISTS', queue) == 0 and redis.call('SET', owner, ARGV[6], 'NX', 'PX', ARGV[7]) then
  return { 1, now, tonumber(ARGV[7]), nextFence() }
end
--- @include "includes/lock-holder"
--- @include "includes/acquire"
