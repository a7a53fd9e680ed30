import { describe, expect, it } from '@jest/globals';
import { findViolations } from './checkers/index.js';
import type { Attempt } from './history/attempt.js';
import { emptyHistory, type Disturbance, type History } from './history/history.js';

const TOKEN = (id: string): string => `1:sim-1-client--:0:1000:1:1:${id}`;

/** A call that holds the lock from 100 to 200. */
function attempt(id: string, more: Partial<Attempt> = {}): Attempt {
  return {
    id,
    client: id,
    kind: 'lock',
    key: 'k',
    limit: 1,
    style: 'handle',
    ttl: 1_000,
    renew: true,
    fair: true,
    wait: 5_000,
    minHold: 0,
    hold: 100,
    obedient: true,
    patience: Infinity,
    abandons: false,
    askedAt: 90,
    enteredAt: 100,
    token: TOKEN(id),
    fence: 1,
    believedUntil: 1_090,
    leftAt: 200,
    released: true,
    endedAt: 202,
    outcome: 'done',
    ...more,
  };
}

/** A call that never got in. */
const refused = (id: string, more: Partial<Attempt>): Attempt => {
  const { enteredAt: _e, token: _t, fence: _f, believedUntil: _b, leftAt: _l, released: _r, ...rest } = attempt(id);
  return { ...rest, ...more };
};

const owned = (id: string, from: number, to: number) =>
  ({ kind: 'lock', key: 'k', token: TOKEN(id), from, to }) as const;

const fault = (name: string, client: string | undefined, from: number, until: number): Disturbance => ({
  fault: name,
  client,
  from,
  until,
  to: until,
  note: '',
});

function history(more: Partial<History>): History {
  return {
    ...emptyHistory({ commandTimeout: 300, handoffTtl: 500, pollInterval: 500, cohort: { passes: 1, time: 50 } }),
    ...more,
  };
}

const good = { attempts: [attempt('a')], ownerships: [owned('a', 95, 201)] };
const checksOf = (more: Partial<History>): string[] => [
  ...new Set(findViolations(history({ ...good, ...more })).map(({ check }) => check)),
];

/** Calls of one process under one token, passed on from one to the next every so many ms. */
const turn = (ids: string, every: number): Partial<History> => ({
  attempts: [...ids].map((id, i) =>
    attempt(id, {
      client: 'p',
      fair: false,
      token: TOKEN('a'),
      askedAt: 90 + i,
      enteredAt: 100 + i * every,
      leftAt: 100 + (i + 1) * every,
      endedAt: 101 + (i + 1) * every,
      fence: i + 1,
    }),
  ),
  ownerships: [owned('a', 95, 101 + ids.length * every)],
});

describe('a good history', () => {
  it.each<[string, Partial<History>]>([
    ['of one holder', {}],
    [
      'of two holders, one after the other',
      {
        attempts: [
          attempt('a'),
          attempt('b', { enteredAt: 300, leftAt: 400, endedAt: 401, fence: 2, believedUntil: 1_290 }),
        ],
        ownerships: [owned('a', 95, 201), owned('b', 202, 401)],
      },
    ],
    ['of a turn', turn('ab', 40)],
    [
      'of a waiter that was in time',
      { attempts: [attempt('a'), refused('b', { wait: 100, endedAt: 195, outcome: 'busy' })] },
    ],
    [
      'of a loss that a frozen process could not be told of',
      {
        attempts: [attempt('a', { leftAt: 5_000, lostAt: 4_000, endedAt: 5_001, outcome: 'lost', released: false })],
        ownerships: [owned('a', 95, 1_095)],
        disturbances: [fault('freeze', 'a', 500, 4_000)],
      },
    ],
    [
      'of a waiter that was overtaken because it was frozen',
      {
        overtakings: [
          { kind: 'lock', key: 'k', at: 95, token: TOKEN('a'), overtaken: [{ token: TOKEN('b'), heard: true }] },
        ],
        attempts: [attempt('a'), refused('b', { askedAt: 10, endedAt: 150, outcome: 'busy' })],
        places: [{ kind: 'lock', key: 'k', token: TOKEN('b'), from: 12, to: 151 }],
        disturbances: [fault('freeze', 'b', 20, 140)],
      },
    ],
    [
      'of a lock that was handed back late because there was no connection',
      {
        ownerships: [owned('a', 95, 1_095)],
        log: [{ at: 199, client: 'a', level: 'warn', text: 'Redis is not reachable (commands): x' }],
      },
    ],
  ])('%s is not called bad', (_, more) => {
    expect(checksOf(more)).toEqual([]);
  });
});

describe('a bad history', () => {
  const second = attempt('b', { enteredAt: 150, leftAt: 250, endedAt: 252, fence: 2, believedUntil: 1_140 });

  it.each<[string, string, Partial<History>]>([
    ['overlap', 'two holders at once', { attempts: [attempt('a'), second] }],
    ['belief', 'a holder whom the server did not know', { ownerships: [owned('a', 95, 150)] }],
    [
      'fences',
      'the same fence twice',
      {
        attempts: [attempt('a'), { ...second, enteredAt: 300, leftAt: 400, endedAt: 401, fence: 1 }],
        ownerships: [owned('a', 95, 201), owned('b', 202, 401)],
      },
    ],
    [
      'fences',
      'a fence below an earlier one',
      {
        attempts: [attempt('a', { fence: 5 }), { ...second, enteredAt: 300, leftAt: 400, endedAt: 401 }],
        ownerships: [owned('a', 95, 201), owned('b', 202, 401)],
      },
    ],
    [
      'order',
      'a waiter that was overtaken',
      {
        overtakings: [
          { kind: 'lock', key: 'k', at: 95, token: TOKEN('a'), overtaken: [{ token: TOKEN('b'), heard: true }] },
        ],
        attempts: [attempt('a'), refused('b', { askedAt: 10, endedAt: 150, outcome: 'busy' })],
        places: [{ kind: 'lock', key: 'k', token: TOKEN('b'), from: 12, to: 151 }],
      },
    ],
    ['turns', 'a turn of too many sections', turn('abc', 20)],
    ['turns', 'a turn that went on for too long', turn('ab', 60)],
    [
      'line',
      'a caller that was overtaken within its process',
      { ...turn('ab', 40), attempts: (turn('ab', 40).attempts ?? []).map((it, i) => ({ ...it, askedAt: 90 - i })) },
    ],
    [
      'fences',
      'a fence that was passed on',
      { ...turn('ab', 40), attempts: (turn('ab', 40).attempts ?? []).map((it) => ({ ...it, fence: 1 })) },
    ],
    [
      'orphans',
      'an entry that nobody is left for',
      {
        attempts: [
          attempt('a'),
          refused('b', { client: 'p', fair: false, wait: 100, askedAt: 90, endedAt: 191, outcome: 'busy' }),
        ],
        places: [{ kind: 'lock', key: 'k', token: TOKEN('b'), from: 95, to: 1_500 }],
      },
    ],
    ['unheard', 'a hand-off to nobody', { unheard: [{ kind: 'lock', key: 'k', at: 95, token: TOKEN('a') }] }],
    [
      'busy',
      'a free lock that was called busy',
      { attempts: [attempt('a'), refused('b', { askedAt: 900, endedAt: 950, wait: 0, outcome: 'busy' })] },
    ],
    ['releases', 'a release of what was not ours any more', { ownerships: [owned('a', 95, 150)] }],
    [
      'loss',
      'a holder that was not told of its loss',
      {
        attempts: [attempt('a', { leftAt: 5_000, endedAt: 5_001, released: false })],
        ownerships: [owned('a', 95, 1_095)],
      },
    ],
    [
      'asleep',
      'a waiter that slept on a free lock',
      { attempts: [attempt('a'), refused('b', { askedAt: 150, endedAt: 3_000, outcome: 'busy' })] },
    ],
    [
      'waits',
      'a wait that did not end in time',
      { attempts: [attempt('a'), refused('b', { wait: 50, endedAt: 900, outcome: 'busy' })] },
    ],
    ['waits', 'a call that never ended', { attempts: [attempt('a'), refused('b', { endedAt: undefined })] }],
    ['orphans', 'a lock that nobody gave back', { ownerships: [owned('a', 95, 1_095)] }],
    [
      'strays',
      'a lock that came back to a call that was over',
      { ownerships: [owned('a', 95, 201), owned('a', 900, 1_000)] },
    ],
    [
      'logs',
      'an outage that was told of twice',
      {
        log: [1, 2].map((at) => ({ at, client: 'a', level: 'warn', text: 'Redis is not reachable (commands): x' })),
      },
    ],
    [
      'recovery',
      'a lock that could not be had in the end',
      { attempts: [attempt('a'), refused('b', { askedAt: 150, endedAt: 190, outcome: 'unavailable' })], last: ['b'] },
    ],
    ['leftovers', 'a key without an end', { leftovers: [{ at: 1, what: 'lock:k has no TTL' }] }],
  ])('is found by %s: %s', (check, _, more) => {
    expect(checksOf(more)).toContain(check);
  });
});
