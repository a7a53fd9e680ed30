import { describe, expect, it } from '@jest/globals';
import { now, startProcesses } from '../helpers/lock-process.js';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedisProcess } from '../helpers/use-redis.js';

const MODULE = { handoffTtl: 600 };
const LONG = { ttl: '1m', wait: '1m' };

const KINDS = [
  { kind: 'lock', limit: undefined },
  { kind: 'semaphore', limit: 1 },
] as const;

describe.each(KINDS)('a process that stands still, $kind', ({ kind, limit }) => {
  const redis = useRedisProcess();

  async function holdHere(key: string) {
    const { locks } = await openLocks({ connection: redis.url, ...MODULE });
    return limit === undefined
      ? locks.acquire(key, LONG)
      : locks.acquireSemaphore(key, limit, LONG);
  }

  it('costs one hand-off lease at the head, and its waiters get their places back', async () => {
    const target = { key: 'frozen-head', limit, options: LONG };
    const state = new LockState(redis, target.key, kind);
    const [frozen, next, late] = await startProcesses(3, redis, MODULE);
    const holding = await holdHere(target.key);
    const names = ['one', 'two', 'three', 'four', 'five'];
    const waiting = [];
    for (const name of names) {
      waiting.push(frozen.call('acquire', { ...target, name }));
      await state.untilWaiting(waiting.length);
    }
    const behind = next.call('acquire', { ...target, name: 'next' });
    await state.untilWaiting(names.length + 1);
    const places = (await state.tickets()).slice(0, names.length);

    frozen.freeze();
    const releasedAt = now();
    await holding.release();
    const { at, fence } = await behind;
    expect(at - releasedAt).toBeLessThan(MODULE.handoffTtl + 1_000);
    expect(await state.waiters()).toBe(0);

    const last = late.call('acquire', { ...target, name: 'last' });
    await state.untilWaiting(1);
    let granted = 0;
    for (const grant of waiting) void grant.then(() => (granted += 1));
    frozen.thaw();
    await state.untilWaiting(names.length + 1);
    // All of them are in the queue again, so none believes that it has the lock.
    expect((await state.tickets()).slice(0, names.length)).toEqual(places);
    await frozen.call('pestered');
    expect(granted).toBe(0);

    await next.call('release', { name: 'next' });
    let before = fence;
    for (const [i, name] of names.entries()) {
      const grant = await waiting[i];
      expect(grant?.token).toBe(places[i]?.token);
      expect(grant?.fence).toBeGreaterThan(before);
      before = Number(grant?.fence);
      expect(await frozen.call('look', { name })).toMatchObject({ held: true });
      await frozen.call('release', { name });
    }
    expect((await last).fence).toBeGreaterThan(before);
  });

  it('sees that its lease is lost before anything else happens', async () => {
    const target = { key: 'frozen-holder', limit };
    const state = new LockState(redis, target.key, kind);
    const [frozen, next] = await startProcesses(2, redis, MODULE);
    const options = { ttl: 500 };
    await frozen.call('acquire', { ...target, options, name: 'holding' });
    const waiting = next.call('acquire', {
      ...target,
      options: LONG,
      name: 'next',
    });
    await state.untilWaiting(1);
    const look = frozen.call('lookAfterFreeze', { name: 'holding' });
    await frozen.printed('blocked');
    frozen.freeze();
    await waiting;
    frozen.thaw();

    expect(await look).toMatchObject({ held: false, remaining: 0, lost: true });
    const { released } = await frozen.call('release', { name: 'holding' });
    expect(released).toBe(false);
    expect(await next.call('look', { name: 'next' })).toMatchObject({
      held: true,
    });
  });

  it('is not taken for dead when the server stood still as long (BC-12)', async () => {
    const target = { key: 'all-frozen', limit, options: LONG };
    const state = new LockState(redis, target.key, kind);
    const [frozen, next] = await startProcesses(2, redis, MODULE);
    const holding = await holdHere(target.key);
    const waiting = frozen.call('acquire', { ...target, name: 'first' });
    await state.untilWaiting(1);
    const behind = next.call('acquire', { ...target, name: 'next' });
    await state.untilWaiting(2);

    for (const process of [frozen, next]) process.freeze();
    process.kill(redis.pid, 'SIGSTOP');
    // Three polls without a sign of life are the limit, ten end the queue.
    await new Promise((resolve) => setTimeout(resolve, MODULE.handoffTtl * 4));
    process.kill(redis.pid, 'SIGCONT');
    await holding.release();
    for (const process of [frozen, next]) process.thaw();

    const first = await waiting;
    await frozen.call('release', { name: 'first' });
    expect((await behind).fence).toBeGreaterThan(first.fence);
  });
});
