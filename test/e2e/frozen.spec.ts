import { describe, expect, it } from '@jest/globals';
import type { Lease } from 'nestjs-redis-lock';
import { now, startProcess } from '../helpers/lock-process.js';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedisProcess } from '../helpers/use-redis.js';
import { ALL_QUEUE } from '../helpers/ways.js';

const HANDOFF = 600;
const MODULE = { handoffTtl: HANDOFF, ...ALL_QUEUE };
const LONG = { ttl: '1m', wait: '1m' };

describe.each([
  { kind: 'lock', limit: undefined, lost: 1 },
  // Where others may go on, a process is given the time of one more poll.
  { kind: 'semaphore', limit: 1, lost: 2 },
] as const)('a process that stands still, $kind', ({ kind, limit, lost }) => {
  const redis = useRedisProcess();

  /** One that goes on: a client of this process. */
  async function open(module = {}) {
    const { locks } = await openLocks({ connection: redis.url, ...MODULE, ...module });
    return (key: string): Promise<Lease> =>
      limit === undefined ? locks.acquire(key, LONG) : locks.acquireSemaphore(key, limit, LONG);
  }

  it('costs a bounded time at the head, and its waiters get their places back', async () => {
    const target = { key: 'frozen-head', limit, options: LONG };
    const { key } = target;
    const state = new LockState(redis, key, kind);
    const frozen = await startProcess(redis, MODULE);
    const [acquire, acquireNext, acquireLast] = [await open(), await open(), await open()];
    const holding = await acquire(key);
    const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
    const waiting = [];
    for (const name of names) {
      waiting.push(frozen.call('acquire', { ...target, name }));
      await state.untilWaiting(waiting.length);
    }
    const waitingNext = acquireNext(key);
    await state.untilWaiting(names.length + 1);
    const places = (await state.tickets()).slice(0, names.length);

    frozen.freeze();
    const releasedAt = now();
    await holding.release();
    const next = await waitingNext;
    expect(now() - releasedAt).toBeLessThan(lost * HANDOFF + 1_000);
    expect(await state.waiters()).toBe(0);

    const waitingLast = acquireLast(key);
    await state.untilWaiting(1);
    let granted = 0;
    for (const grant of waiting) void grant.then(() => (granted += 1));
    frozen.thaw();
    await state.untilWaiting(names.length + 1);
    // All of them are in the queue again, so none believes that it has the lock.
    expect((await state.tickets()).slice(0, names.length)).toEqual(places);
    await frozen.call('pestered');
    expect(granted).toBe(0);
    expect(next.held).toBe(true);

    await next.release();
    let { fence } = next;
    for (const [i, name] of names.entries()) {
      const grant = await waiting[i];
      expect(grant?.token).toBe(places[i]?.token);
      expect(grant?.fence).toBeGreaterThan(fence);
      fence = Number(grant?.fence);
      expect(await frozen.call('look', { name })).toMatchObject({ held: true });
      await frozen.call('release', { name });
    }
    expect((await waitingLast).fence).toBeGreaterThan(fence);
  });

  it('sees that its lease is lost before anything else happens', async () => {
    const key = 'frozen-holder';
    const name = 'holding';
    const lease = 500;
    const state = new LockState(redis, key, kind);
    const frozen = await startProcess(redis, MODULE);
    const acquireNext = await open();
    await frozen.call('acquire', { key, limit, options: { ttl: lease }, name });
    const waiting = acquireNext(key);
    await state.untilWaiting(1);
    const look = frozen.call('lookAfterPause', { name, pause: lease });
    await frozen.printed('blocked');
    frozen.freeze();
    await new Promise((resolve) => setTimeout(resolve, 2 * lease));
    const next = await waiting;
    frozen.thaw();

    expect(await look).toMatchObject({ held: false, remaining: 0, lost: true });
    const { released } = await frozen.call('release', { name });
    expect(released).toBe(false);
    expect(next.held).toBe(true);
    expect(await next.release()).toBe(true);
  });

  it('is not taken for dead when the server stood still as long (BC-12)', async () => {
    const key = 'all-frozen';
    const name = 'first';
    const state = new LockState(redis, key, kind);
    const frozen = await startProcess(redis, { handoffTtl: '5s', pollInterval: HANDOFF, ...ALL_QUEUE });
    // These do not poll, so that the release is the first that the server hears after the pause.
    const [acquire, acquireNext] = [await open(), await open({ pollInterval: '1m' })];
    const holding = await acquire(key);
    const target = { key, limit, options: LONG };
    const waiting = frozen.call('acquire', { ...target, name });
    await state.untilWaiting(1);
    const waitingNext = acquireNext(key);
    await state.untilWaiting(2);

    frozen.freeze();
    process.kill(redis.pid, 'SIGSTOP');
    // Three polls without a sign of life would be too long.
    await new Promise((resolve) => setTimeout(resolve, 4 * HANDOFF));
    process.kill(redis.pid, 'SIGCONT');
    await holding.release();
    // It was handed to the first, and the other keeps its place.
    expect(await state.waiters()).toBe(1);
    frozen.thaw();

    const first = await Promise.race([waiting.then(() => 'frozen'), waitingNext.then(() => 'next')]);
    expect(first).toBe('frozen');
    await frozen.call('release', { name });
    expect((await waitingNext).held).toBe(true);
  });
});
