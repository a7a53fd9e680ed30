import { describe, expect, it } from '@jest/globals';
import { holdsOf } from '../../tools/chaos/checker/holds.mjs';
import { findRepeatedLines } from '../../tools/chaos/checker/logs.mjs';
import { findFallingFences, findOverlaps, findUntold } from '../../tools/chaos/checker/overlaps.mjs';
import { eventRate, worstGap } from '../../tools/chaos/checker/rates.mjs';
import { judge, LEAST_FAULTS, LEAST_RATE } from '../../tools/chaos/checker/verdict.mjs';
import { findStaleWrites } from '../../tools/chaos/checker/writes.mjs';
import { Register } from '../../tools/chaos/register/register.mjs';

type Event = Parameters<typeof findRepeatedLines>[0][number];
type Hold = Parameters<typeof findOverlaps>[0][number];
type Figures = Parameters<typeof judge>[0];

let grants = 0;
const hold = (entered: number, end: number, more: Partial<Hold> = {}): Hold => ({
  client: 'a',
  kind: 'lock',
  key: 'k',
  limit: 1,
  fence: entered,
  token: `t${(grants += 1)}`,
  entered,
  end,
  lost: false,
  told: false,
  ...more,
});

describe('holdsOf', () => {
  const entered = (id: number, at: number, deadline: number): Event => ({
    ...{ e: 'entered', id, at, deadline, kind: 'lock', key: 'k' },
    ...{ fence: at, token: `t${id}` },
  });
  const holdsIn = (...events: Event[]) => holdsOf(new Map([['a', events]]), () => 1);

  it('ends a hold when its caller stops, or where its lease ends', () => {
    const holds = holdsIn(entered(1, 10, 110), { e: 'left', id: 1, at: 50 }, entered(2, 60, 160), {
      e: 'left',
      id: 2,
      at: 300,
    });
    expect(holds.map(({ end }) => end)).toEqual([50, 160]);
  });

  it('lengthens it with every renewal that was seen, and takes one that never stopped for as long as its lease', () => {
    const [only] = holdsIn(entered(1, 10, 110), { e: 'seen', id: 1, at: 60, deadline: 160 });
    expect(only).toMatchObject({ entered: 10, end: 160 });
  });

  it('puts the holds of all processes in the order of entering', () => {
    const histories = new Map([
      ['a', [entered(1, 30, 40)]],
      ['b', [entered(1, 10, 20)]],
    ]);
    expect(holdsOf(histories, () => 1).map(({ client }) => client)).toEqual(['b', 'a']);
  });

  it.each<[string, Event[], boolean, boolean]>([
    ['the signal', [{ e: 'lost', id: 1, at: 20 }], true, true],
    ['a release that says so', [{ e: 'released', id: 1, at: 20, ours: false }], true, true],
    ['a release without an answer', [{ e: 'released', id: 1, at: 20, ours: null }], true, false],
    ['nothing', [{ e: 'released', id: 1, at: 20, ours: true }], false, false],
  ])('knows whether its caller was told by %s', (_, events, told, lost) => {
    expect(holdsIn(entered(1, 10, 110), ...events)[0]).toMatchObject({ told, lost });
  });

  it('takes nothing for lost that a caller gave up by itself, and nobody who was killed for untold', () => {
    const vanished = holdsIn(entered(1, 10, 110), { e: 'vanished', id: 1, at: 11 }, { e: 'lost', id: 1, at: 110 });
    expect(vanished[0]).toMatchObject({ lost: false, told: true });
    const killed = holdsOf(
      new Map([['a', [entered(1, 10, 110)]]]),
      () => 1,
      () => true,
    );
    expect(killed[0]).toMatchObject({ lost: false, told: true });
  });
});

describe('findOverlaps', () => {
  it('finds nothing where one ends before, or as, the next enters', () => {
    expect(findOverlaps([hold(0, 10), hold(10, 20), hold(25, 30)])).toEqual([]);
  });

  it('finds each that entered while another was in', () => {
    const holds = [hold(0, 100), hold(10, 20), hold(30, 40), hold(100, 120)];
    expect(findOverlaps(holds)).toEqual([
      { hold: holds[1], others: [holds[0]] },
      { hold: holds[2], others: [holds[0]] },
    ]);
  });

  it('looks at each key by itself', () => {
    expect(findOverlaps([hold(0, 100), hold(10, 20, { key: 'other' })])).toEqual([]);
  });

  it('allows as many as the limit of a semaphore, and no more', () => {
    const permit = { kind: 'semaphore', limit: 2 } as const;
    const two = [hold(0, 100, permit), hold(10, 90, permit)];
    expect(findOverlaps(two)).toEqual([]);
    expect(findOverlaps([...two, hold(20, 30, permit)])).toHaveLength(1);
    expect(findOverlaps([...two, hold(95, 99, permit)])).toEqual([]);
  });

  it('does not count one whose lease was over when it entered', () => {
    expect(findOverlaps([hold(0, 0), hold(0, 10)])).toEqual([]);
  });
});

describe('findUntold', () => {
  const untold = (...holds: Hold[]) => findUntold(findOverlaps(holds)).length;

  it('finds who lost a lock and never heard of it', () => {
    expect(untold(hold(0, 100), hold(10, 20))).toBe(1);
    expect(untold(hold(0, 100, { told: true }), hold(10, 20))).toBe(0);
  });

  it('asks of a semaphore that as many were told as there are too many', () => {
    const permit = { kind: 'semaphore', limit: 2 } as const;
    const told = { ...permit, told: true };
    expect(untold(hold(0, 100, told), hold(5, 100, permit), hold(10, 100, permit))).toBe(0);
    expect(untold(hold(0, 100, told), hold(5, 100, permit), hold(10, 100, permit), hold(15, 100, permit))).toBe(1);
  });
});

describe('findFallingFences', () => {
  it('asks that a fence is above those of all that had ended', () => {
    const holds = [hold(0, 10, { fence: 5 }), hold(20, 30, { fence: 6 }), hold(40, 50, { fence: 6 })];
    expect(findFallingFences(holds)).toEqual([holds[2]]);
  });

  it('says nothing of those that were in together', () => {
    expect(findFallingFences([hold(0, 100, { fence: 9 }), hold(10, 20, { fence: 5 })])).toEqual([]);
  });
});

describe('findStaleWrites', () => {
  const write = (of: Hold, at: number, accepted = true) => ({
    at,
    key: of.key,
    fence: of.fence,
    token: of.token,
    accepted,
  });
  const old = hold(0, 100, { fence: 1 });
  const next = hold(150, 250, { fence: 2 });

  it('finds none where late writes are refused', () => {
    expect(findStaleWrites([write(old, 50), write(next, 160), write(old, 170, false)], [old, next])).toEqual([]);
  });

  it('does not blame one that comes late, but before anybody else has written', () => {
    expect(findStaleWrites([write(old, 155), write(next, 160)], [old, next])).toEqual([]);
  });

  it('finds one with a lower fence than was taken before', () => {
    const late = write(old, 170);
    expect(findStaleWrites([write(next, 160), late], [old, next])).toEqual([late]);
  });

  it('finds one of a grant whose fence another had, too', () => {
    const twin = hold(150, 250, { fence: 1 });
    const second = write(twin, 160);
    expect(findStaleWrites([write(old, 50), second], [old, twin])).toContainEqual(second);
  });

  it('finds one of a holder whose time was over, whatever its fence', () => {
    const high = hold(0, 100, { fence: 9 });
    const late = write(high, 170);
    expect(findStaleWrites([write(next, 160), late], [high, next])).toEqual([late]);
  });

  it('tells holders apart by their fences where a process passed the lock on under one token', () => {
    const first = hold(0, 100, { fence: 9, token: 'passed' });
    const second = hold(300, 400, { fence: 10, token: 'passed' });
    const late = write(first, 170);
    expect(findStaleWrites([write(next, 160), late], [first, second, next])).toEqual([late]);
  });
});

describe('Register', () => {
  it('refuses a fence below the highest of its key', () => {
    const register = new Register(true);
    const taken = [5, 4, 5, 6].map((fence) => register.write({ key: 'k', fence }));
    expect(taken).toEqual([true, false, true, true]);
    expect(register.write({ key: 'other', fence: 1 })).toBe(true);
  });

  it('takes everything where it is told to', () => {
    const register = new Register(false);
    expect([5, 4].map((fence) => register.write({ key: 'k', fence }))).toEqual([true, true]);
  });
});

describe('findRepeatedLines', () => {
  const line = (at: number, text: string): Event => ({ e: 'log', level: 'warn', at, text });
  const lost = (at: number, name = 'commands') => line(at, `Redis is not reachable (${name}): gone. Reconnecting.`);
  const back = (at: number) => line(at, 'Redis is reachable again (commands).');

  it('allows one line for each outage of each connection', () => {
    expect(findRepeatedLines([lost(1), lost(2, 'wake channel'), back(3), lost(4)], [0])).toEqual([]);
  });

  it('finds a second line of the same outage', () => {
    expect(findRepeatedLines([lost(1), lost(2)], [0])).toHaveLength(1);
  });

  it('takes what follows another fault for another outage', () => {
    expect(findRepeatedLines([lost(1), lost(5)], [0, 4])).toEqual([]);
  });
});

describe('eventRate and worstGap', () => {
  it('count what lies between two moments', () => {
    const at = (...moments: number[]): Event[] => moments.map((moment) => ({ e: 'left', id: 1, at: moment }));
    expect(eventRate([at(0, 100, 400), at(900, 1000)], 0, 500)).toBe(6);
  });

  it('measure from the start and to the end, for each key', () => {
    const holds = [hold(20, 30), hold(50, 60), hold(90, 95, { key: 'other' })];
    expect(worstGap(holds, 0, 100)).toBe(90);
    expect(worstGap(holds.slice(0, 2), 0, 100)).toBe(50);
  });
});

describe('judge', () => {
  const fine: Figures = {
    ...{
      faults: LEAST_FAULTS,
      rate: LEAST_RATE,
      acquires: 100,
      busy: 1,
      unavailable: 0,
      overlaps: 0,
      untold: 0,
      losses: 0,
    },
    ...{ writes: 100, refused: 0, stale: 0, falling: 0, gap: 10, gapBound: 20, recovery: 10, recoveryBound: 20 },
    ...{ examples: [], leftovers: [], endless: [], problems: [] },
  };
  const group = (name: 'A' | 'B' | 'C', everyReplica = false) => ({ group: name, idle: false, everyReplica });

  it('passes a run in which nothing went wrong', () => {
    expect(judge(fine, group('A'))).toEqual([]);
    expect(judge(fine, group('B'))).toEqual([]);
  });

  it.each<[string, Partial<Figures>]>([
    ['too little to do', { rate: LEAST_RATE - 1 }],
    ['too few faults', { faults: LEAST_FAULTS - 1 }],
    ['nobody who got in', { acquires: 0 }],
    ['an overlap', { overlaps: 1 }],
    ['a stale write that was accepted', { stale: 1 }],
    ['a fence that did not rise', { falling: 1 }],
    ['a lock that did not come back', { recovery: null }],
    ['a lock that came back late', { recovery: 21 }],
    ['a lock that nobody entered for too long', { gap: 21 }],
    ['a key that stays', { leftovers: ['k'] }],
    ['a key without an end', { endless: ['k'] }],
    ['a rejection that nobody handled', { problems: ['unhandled'] }],
  ])('fails one with %s', (_, change) => {
    expect(judge({ ...fine, ...change }, group('A'))).toHaveLength(1);
  });

  it('lets a failover make overlaps, but no stale writes, and neither where every replica has the lock first', () => {
    expect(judge({ ...fine, overlaps: 1 }, group('B'))).toEqual([]);
    expect(judge({ ...fine, stale: 1 }, group('B'))).toHaveLength(1);
    expect(judge({ ...fine, overlaps: 1 }, group('B', true))).toHaveLength(1);
    expect(judge({ ...fine, falling: 1 }, group('B'))).toEqual([]);
    expect(judge({ ...fine, falling: 1 }, group('B', true))).toHaveLength(1);
  });

  it('asks of a fault outside of the promises that it shows, and that holders are told', () => {
    expect(judge(fine, group('C'))).toEqual([expect.stringContaining('blind')]);
    expect(judge({ ...fine, overlaps: 3, losses: 2 }, group('C'))).toEqual([]);
    expect(judge({ ...fine, overlaps: 3, losses: 2, untold: 1 }, group('C'))).toHaveLength(1);
  });

  it('asks of a mutant that it is found', () => {
    const mutant = (name: 'no-deadline' | 'no-fence') => ({ ...group('A'), mutant: name });
    expect(judge({ ...fine, stale: 1 }, mutant('no-deadline'))).toEqual([expect.stringContaining('blind')]);
    expect(judge({ ...fine, overlaps: 1 }, mutant('no-deadline'))).toEqual([]);
    expect(judge({ ...fine, overlaps: 1 }, mutant('no-fence'))).toEqual([expect.stringContaining('blind')]);
    expect(judge({ ...fine, stale: 1 }, mutant('no-fence'))).toEqual([]);
  });
});
