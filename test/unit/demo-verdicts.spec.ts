import { describe, expect, it } from '@jest/globals';
import {
  arrivalOrderKept,
  fencesRise,
  moneyComplete,
  mostAtOnce,
  neverMoreThan,
  oncePerTick,
  oneAtATime,
  passedOnAfterLease,
  sectionsOf,
  staleWriteRefused,
} from '../../tools/demo/verdicts.mjs';

type Section = Parameters<typeof oneAtATime>[0][number];
type Entry = Parameters<typeof sectionsOf>[0][number];

const section = (pid: number, enter: number, leave: number, more: Partial<Section> = {}): Section => ({
  pid,
  enter,
  leave,
  fence: null,
  arrival: null,
  ...more,
});

describe('sectionsOf', () => {
  const entry = (at: number, pid: number, event: string, more: Partial<Entry> = {}): Entry => ({
    at,
    pid,
    event,
    section: 'order:1',
    pass: 1,
    ...more,
  });

  it('pairs what each process wrote, in the order of entering', () => {
    const entries = [
      entry(30, 2, 'enter', { fence: 8, arrival: 2 }),
      entry(40, 2, 'leave'),
      entry(10, 1, 'enter', { fence: 7, arrival: 1 }),
      entry(20, 1, 'leave'),
      entry(15, 1, 'enter', { section: 'order:2' }),
    ];

    expect(sectionsOf(entries, 'order:1')).toEqual([
      { pid: 1, enter: 10, leave: 20, fence: 7, arrival: 1 },
      { pid: 2, enter: 30, leave: 40, fence: 8, arrival: 2 },
    ]);
  });

  it('tells two passes of one process apart', () => {
    const entries = [
      entry(1, 1, 'enter', { pass: 1 }),
      entry(2, 1, 'enter', { pass: 2 }),
      entry(3, 1, 'leave', { pass: 2 }),
      entry(9, 1, 'leave', { pass: 1 }),
    ];

    expect(sectionsOf(entries, 'order:1').map(({ leave }) => leave)).toEqual([9, 3]);
  });

  it('never ends the section of a process that died in it', () => {
    expect(sectionsOf([entry(1, 1, 'enter')], 'order:1')[0]?.leave).toBe(Infinity);
  });
});

describe('oneAtATime', () => {
  it('passes when each one enters after the one before has left', () => {
    expect(oneAtATime([section(1, 0, 5), section(2, 5, 8), section(1, 9, 12)], 3).ok).toBe(true);
  });

  it.each([
    ['two overlap', [section(1, 0, 5), section(2, 4.9, 8)], 2],
    ['one lies within an earlier one, not its neighbour', [section(1, 0, 9), section(1, 1, 2), section(2, 8, 10)], 3],
    ['one never left', [section(1, 0, Infinity), section(2, 5, 8)], 2],
    ['one is missing', [section(1, 0, 5), section(2, 5, 8)], 3],
    ['all were in one process', [section(1, 0, 5), section(1, 5, 8)], 2],
    ['there are none', [], 0],
  ])('fails when %s', (_, sections, expected) => {
    expect(oneAtATime(sections, expected).ok).toBe(false);
  });

  it('says how many overlap', () => {
    const sections = [section(1, 0, 5), section(2, 1, 3), section(3, 2, 9)];
    expect(oneAtATime(sections, 3).figures).toBe('3 of 3 sections in 3 processes, 2 overlaps');
  });
});

describe('mostAtOnce', () => {
  it('counts those inside together', () => {
    expect(mostAtOnce([section(1, 0, 10), section(2, 1, 3), section(3, 2, 5), section(1, 4, 6)])).toBe(3);
  });

  it('does not count one that leaves at the moment another enters', () => {
    expect(mostAtOnce([section(1, 0, 5), section(2, 5, 9)])).toBe(1);
  });

  it('is 0 of nothing', () => {
    expect(mostAtOnce([])).toBe(0);
  });
});

describe('neverMoreThan', () => {
  const three = [section(1, 0, 9), section(2, 1, 8), section(3, 2, 7)];

  it('passes at the limit', () => {
    expect(neverMoreThan(three, 3, 3).ok).toBe(true);
  });

  it.each([
    ['a fourth one is in', [...three, section(1, 3, 4)], 4],
    ['they came one by one, which proves nothing', [section(1, 0, 1), section(2, 2, 3)], 2],
    ['one is missing', three, 4],
    ['there are none', [], 0],
  ])('fails when %s', (_, sections, expected) => {
    expect(neverMoreThan(sections, 3, expected).ok).toBe(false);
  });
});

describe('fencesRise', () => {
  const withFences = (...fences: (number | null)[]) =>
    fences.map((fence, index) => section(1, index, index + 1, { fence }));

  it('passes when each is higher than the one before', () => {
    expect(fencesRise(withFences(3, 4, 9)).ok).toBe(true);
  });

  it.each([
    ['one is repeated', withFences(3, 3)],
    ['one is lower', withFences(3, 9, 4)],
    ['one is missing', withFences(3, null, 4)],
    ['the first is missing', withFences(null, 3)],
    ['there are none', []],
  ])('fails when %s', (_, sections) => {
    expect(fencesRise(sections).ok).toBe(false);
  });
});

describe('arrivalOrderKept', () => {
  const arrivals = (...order: (number | null)[]) =>
    order.map((arrival, index) => section(1, index, index + 1, { arrival }));

  it('passes when they entered as they came', () => {
    expect(arrivalOrderKept(arrivals(1, 2, 3), 3).ok).toBe(true);
  });

  it.each([
    ['two changed places', arrivals(1, 3, 2), 3],
    ['one was left out', arrivals(1, 2, 4), 3],
    ['the last is missing', arrivals(1, 2), 3],
    ['nobody knows when they came', arrivals(null, null), 2],
    ['there are none', [], 0],
  ])('fails when %s', (_, sections, expected) => {
    expect(arrivalOrderKept(sections, expected).ok).toBe(false);
  });
});

describe('oncePerTick', () => {
  const job = (pid: number, time: number, event: string): Entry => ({
    at: time,
    pid,
    time,
    event,
    section: 'nightly',
  });
  const tick = (time: number, pids = [1, 2, 3]) => pids.map((pid) => job(pid, time + pid, 'tick'));
  const setting = {
    section: 'nightly',
    period: 2000,
    from: 1000,
    until: 5000,
    processes: 3,
  };

  it('passes when one process did the job each time', () => {
    const entries = [...tick(2000), job(3, 2003, 'run'), ...tick(4000), job(1, 4001, 'run')];
    expect(oncePerTick(entries, setting).ok).toBe(true);
  });

  it('leaves out what happened before all were there, and what is not over yet', () => {
    const entries = [
      job(1, 0, 'run'),
      ...tick(2000),
      job(3, 2003, 'run'),
      ...tick(4000),
      job(1, 3999, 'run'),
      ...tick(6000, [1]),
    ];
    expect(oncePerTick(entries, setting).ok).toBe(true);
  });

  it.each([
    ['two did the job', [...tick(2000), job(1, 2001, 'run'), job(2, 2100, 'run'), ...tick(4000), job(1, 4001, 'run')]],
    ['nobody did it once', [...tick(2000), job(1, 2001, 'run'), ...tick(4000)]],
    ['one process was never called', [...tick(2000), job(1, 2001, 'run'), ...tick(4000, [1, 2]), job(1, 4001, 'run')]],
    ['it was due only once', [...tick(2000), job(1, 2001, 'run')]],
    ['it ran when it was not due', [...tick(2000), job(1, 2001, 'run'), job(1, 4001, 'run')]],
    ['nothing happened', []],
  ])('fails when %s', (_, entries) => {
    expect(oncePerTick(entries, setting).ok).toBe(false);
  });
});

describe('moneyComplete', () => {
  it.each([
    [300, 300, true],
    [300, 295, false],
    [300, 305, false],
    [0, 0, false],
    [300, NaN, false],
  ])('with %d paid in and %d there: %s', (expected, actual, ok) => {
    expect(moneyComplete(expected, actual).ok).toBe(ok);
  });
});

describe('passedOnAfterLease', () => {
  const holder = section(1, 0, Infinity, { fence: 5 });
  const next = section(2, 1900, 1950, { fence: 6 });
  const killed = { holder, next, killedAt: 1000, lease: 1500 };

  it('passes when the next one came in by the end of the lease', () => {
    expect(passedOnAfterLease(killed)).toEqual({
      ok: true,
      figures: 'next one in 900 ms after the kill, with a lease of 1500 ms',
    });
  });

  it.each([
    ['it was in before the kill', { ...killed, next: { ...next, enter: 900 } }],
    ['it came later than the lease and a second', { ...killed, next: { ...next, enter: 3501 } }],
    ['its fence is not higher', { ...killed, next: { ...next, fence: 5 } }],
    ['the holder had left by itself', { ...killed, holder: { ...holder, leave: 999 } }],
    ['both are one process', { ...killed, next: { ...next, pid: 1 } }],
    ['nobody came', { ...killed, next: undefined }],
  ])('fails when %s', (_, handover) => {
    expect(passedOnAfterLease(handover).ok).toBe(false);
  });
});

describe('staleWriteRefused', () => {
  const write = (at: number, pid: number, event: string, fence: number): Entry => ({
    at,
    pid,
    event,
    fence,
    section: 'ledger',
  });
  const pids = { late: 1, next: 2 };

  it('passes when the late writer was refused after the one in time', () => {
    expect(staleWriteRefused([write(1, 2, 'stored', 9), write(2, 1, 'refused', 8)], pids).ok).toBe(true);
  });

  it.each([
    ['the late write was stored', [write(1, 2, 'stored', 9), write(2, 1, 'stored', 8)]],
    ['the wrong one was refused', [write(1, 2, 'refused', 9), write(2, 1, 'stored', 8)]],
    ['the late one was not late', [write(1, 1, 'refused', 8), write(2, 2, 'stored', 9)]],
    ['the late fence was not lower', [write(1, 2, 'stored', 8), write(2, 1, 'refused', 8)]],
    ['the late one never wrote', [write(1, 2, 'stored', 9)]],
  ])('fails when %s', (_, entries) => {
    expect(staleWriteRefused(entries, pids).ok).toBe(false);
  });
});
