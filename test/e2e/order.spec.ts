import { describe, expect, it } from '@jest/globals';
import { byEntry, byFence, overlaps, tokensOf } from '../helpers/intervals.js';
import { type LockProcess, type Section, useProcesses } from '../helpers/lock-process.js';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { ALL_QUEUE } from '../helpers/ways.js';

const WAIT = '1m';

describe.each([
  { what: 'a fair lock', kind: 'lock', limit: undefined },
  { what: 'a semaphore of 3', kind: 'semaphore', limit: 3 },
] as const)('arrival order over processes: $what', ({ kind, limit }) => {
  const redis = useRedis();
  const processes = useProcesses(4, redis, { module: ALL_QUEUE });

  /** Takes all there is. */
  async function holdAll(key: string) {
    const { locks } = await openLocks({ connection: redis.url });
    const take = () =>
      limit === undefined ? locks.acquire(key, { ttl: WAIT }) : locks.acquireSemaphore(key, limit, { ttl: WAIT });
    const leases = await Promise.all(Array.from({ length: limit ?? 1 }, take));
    return {
      release: () => Promise.all(leases.map((lease) => lease.release())),
    };
  }

  it('serves those who came one after the other in that order', async () => {
    const target = { key: 'in-line', limit, options: { wait: WAIT } };
    const state = new LockState(redis, target.key, kind);
    const holding = await holdAll(target.key);
    const waiting: Promise<Section>[] = [];
    for (let i = 0; i < 10; i++) {
      for (const process of processes) {
        waiting.push(process.section(target, 2));
        await state.untilWaiting(waiting.length);
      }
    }
    await holding.release();
    const sections = await Promise.all(waiting);
    expect(byFence(sections)).toEqual(sections);
    if (limit === undefined) expect(byEntry(sections)).toEqual(sections);
  });

  it('serves those who came at once in the order of their tickets', async () => {
    const target = { key: 'crowd', limit, options: { wait: WAIT } };
    const state = new LockState(redis, target.key, kind);
    const holding = await holdAll(target.key);
    const crowd = { ...target, callers: 25, each: 1, hold: 0 };
    const runs = processes.map((process) => process.call('sections', crowd));
    await state.untilWaiting(100);
    const tickets = await state.tickets();
    await holding.release();
    const sections = (await Promise.all(runs)).flat();
    expect(new Set(tickets.map(({ ticket }) => ticket)).size).toBe(100);
    expect(tokensOf(byFence(sections))).toEqual(tokensOf(tickets));
  });

  it('never lets a newcomer with wait 0 overtake the queue (BC-48)', async () => {
    const target = { key: 'newcomer', limit, options: { wait: WAIT } };
    const state = new LockState(redis, target.key, kind);
    const [one, other, elsewhere] = processes;
    const holding = await holdAll(target.key);
    const waiting: Promise<Section>[] = [];
    for (let i = 0; i < 5; i++) {
      for (const process of [one, other]) {
        waiting.push(process.section(target, 20));
        await state.untilWaiting(waiting.length);
      }
    }
    const newcomers = [elsewhere, one];
    await Promise.all(newcomers.map((p) => p.call('pester', target)));
    await untilTried(newcomers, 50);
    await holding.release();
    const sections = await Promise.all(waiting);
    // Now it is free, and they get it.
    await untilTried(newcomers, 50);
    const results = await Promise.all(newcomers.map((p) => p.call('rest')));

    expect(byFence(sections)).toEqual(sections);
    const grants = results.flatMap((result) => result.grants);
    expect(grants.length).toBeGreaterThan(0);
    const last = sections.at(-1) as Section;
    expect(Math.min(...grants.map(({ fence }) => fence))).toBeGreaterThan(last.fence);
    if (limit !== undefined) return;
    expect(overlaps(sections)).toEqual([]);
    expect(Math.min(...grants.map(({ at }) => at))).toBeGreaterThan(last.left);
  });
});

/** Resolves when each of them has tried so many times more. */
async function untilTried(processes: LockProcess[], times: number) {
  const tries = () => Promise.all(processes.map((p) => p.call('pestered')));
  const before = await tries();
  const done = async () => {
    const now = await tries();
    return now.every((count, i) => count > (before[i] ?? 0) + times);
  };
  await waitUntil(done, `${times} tries`);
}

describe('a head start', () => {
  const redis = useRedis();
  const processes = useProcesses(3, redis, { module: ALL_QUEUE });

  it('overtakes exactly those who came less than that before', async () => {
    const key = 'head-start';
    const headStart = 1_000;
    const state = new LockState(redis, key);
    const [one, other, favoured] = processes;
    const { locks } = await openLocks({ connection: redis.url });
    const lease = await locks.acquire(key, { ttl: WAIT });
    const waiting: Promise<Section>[] = [];
    const queueUp = async (process: LockProcess, more = {}) => {
      waiting.push(process.section({ key, options: { wait: WAIT, ...more } }));
      await state.untilWaiting(waiting.length);
    };
    await queueUp(one);
    await queueUp(other);
    const [, old] = await state.tickets();
    await state.untilServerTime(Number(old?.ticket) + headStart * 1_000);
    await queueUp(other);
    await queueUp(one);
    const asked = await state.serverTime();
    await queueUp(favoured, { headStart });
    const queued = await state.serverTime();
    const tickets = await state.tickets();
    await lease.release();
    const sections = await Promise.all(waiting);

    const [first, second, third, fourth, fifth] = sections;
    expect(byEntry(sections)).toEqual([first, second, fifth, third, fourth]);
    expect(tokensOf(byEntry(sections))).toEqual(tokensOf(tickets));
    const cameAt = Number(tickets[2]?.ticket) + headStart * 1_000;
    expect(cameAt).toBeGreaterThanOrEqual(asked);
    expect(cameAt).toBeLessThanOrEqual(queued);
  });

  it('starves nobody', async () => {
    const key = 'no-starving';
    const state = new LockState(redis, key);
    const [plain, ...favoured] = processes;
    const options = { wait: WAIT, headStart: 300 };
    const work = { key, options, callers: 8, each: 50, hold: 2 };
    const stream = favoured.map((process) => process.call('sections', work));
    await waitUntil(async () => (await state.waiters()) > 8, 'a queue');
    const { entered } = await plain.section({ key, options: { wait: WAIT } });
    const sections = (await Promise.all(stream)).flat();

    // From 300 ms on whoever comes stands behind, so that it is served long before the stream ends.
    const before = sections.filter((section) => section.entered < entered);
    expect(before.length).toBeLessThan(sections.length / 2);
  });
});
