import { inScripts, type Mutant } from './mutant.js';

const inTurn =
  (...patches: ((text: string) => string)[]) =>
  (text: string): string =>
    patches.reduce((changed, patch) => patch(changed), text);

/** Faults of the protocol: what the server runs. */
export const scriptMutants: readonly Mutant[] = [
  {
    name: 'blind-delete',
    what: 'a release deletes the key, whoever owns it',
    patchScript: inTurn(
      inScripts("if redis.call('GET', owner) ~= token then return 0 end", ''),
      inScripts('local released = holds(token)', 'local released = true'),
    ),
  },
  {
    name: 'not-idempotent',
    what: 'an acquire that is sent again finds its own lock busy',
    patchScript: inScripts('if holds(token) then', 'if false then'),
    // What makes it send one again.
    faults: ['cut-before-reply', 'slow-network'],
  },
  {
    name: 'renewal-recreates',
    what: 'a renewal makes the key where it is missing',
    patchScript: inScripts(
      'reply[i] = 0\n',
      "reply[i] = 0\nif redis.call('EXISTS', owner) == 0 then redis.call('SET', owner, ARGV[i], 'PX', ARGV[#KEYS + i]) end\n",
    ),
  },
  {
    name: 'renewal-of-anybody',
    what: 'a renewal does not look who owns the key',
    patchScript: inScripts("if redis.call('GET', owner) == ARGV[i] then", "if redis.call('EXISTS', owner) == 1 then"),
    // While the server keeps its data a holder takes its lease for over before anybody else can own the key.
    faults: ['restart-empty'],
  },
  {
    name: 'unheard-hand-off',
    what: 'nobody asks before a hand-off whether the server reaches the waiter',
    patchScript: inScripts('stale or (pushable and not listens(client))', 'stale'),
  },
  {
    name: 'void-honoured',
    what: 'a request is run however late it comes',
    patchScript: inTurn(
      inScripts('if now > tonumber(ARGV[1]) then return { now } end', ''),
      inScripts('if now > tonumber(ARGV[1]) then return reply end', ''),
    ),
  },
  {
    name: 'counted-fence',
    what: 'a fence is the highest known to the caller and one, without the clock',
    patchScript: inScripts('math.max(nowUs, lastFence + 1)', 'lastFence + 1'),
  },
  {
    name: 'barging',
    what: 'a newcomer takes a free lock although others wait for it',
    patchScript: inScripts("not queued and redis.call('SET'", "redis.call('SET'"),
  },
  {
    name: 'last-come-first-served',
    what: 'a newcomer gets a ticket in front of all others',
    patchScript: inScripts('math.max(nowUs, tonumber(last or 0) + 1) - headStart', '4e15 - nowUs'),
  },
  {
    name: 'one-permit-more',
    what: 'a semaphore gives one permit more than there are',
    patchScript: inScripts('return count < limit', 'return count <= limit'),
  },
  {
    name: 'permits-for-ever',
    what: 'permits that have run out are not counted off',
    patchScript: inScripts("redis.call('ZREMRANGEBYSCORE', owner, '-inf', now)", 'local _ = now'),
  },
  {
    name: 'endless-marks',
    what: 'the signs of life have no TTL',
    patchScript: inScripts("redis.call('PEXPIRE', seen, poll * 10)", ''),
  },
];
