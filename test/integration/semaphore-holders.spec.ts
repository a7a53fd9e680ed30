import { describe, expect, it } from '@jest/globals';
import type { LockService } from 'nestjs-redis-lock';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { watch } from '../helpers/watch.js';

describe('holders of one semaphore', () => {
  const redis = useRedis();
  const open = async (module = {}) => (await openLocks({ connection: redis.url, ...module })).locks;

  const holders = async (key: string) =>
    Number(
      await redis.client.zcount(
        `semaphore:${key}`,
        `(${Math.floor((await new LockState(redis, key).serverTime()) / 1_000)}`,
        '+inf',
      ),
    );

  it('with different leases do not end each other', async () => {
    const key = 'leases';
    const { owner } = new LockState(redis, key, 'semaphore');
    const [one, other] = [await open(), await open()];
    const long = await one.acquireSemaphore(key, 2, { ttl: '1m' });
    const short = await other.acquireSemaphore(key, 2, {
      ttl: 400,
      renew: false,
    });
    // The key lives as long as the longest of them.
    expect(await redis.client.pttl(owner)).toBeGreaterThan(50_000);
    await waitUntil(() => !short.held, 'the end of the short lease');
    await waitUntil(async () => (await holders(key)) === 1, 'one holder');
    expect(long.held).toBe(true);
    expect(await redis.client.pttl(owner)).toBeGreaterThan(50_000);

    // One that comes later and shorter does not cut it, one that is renewed does not lengthen others.
    const kept = await other.acquireSemaphore(key, 2, { ttl: 300 });
    expect(await redis.client.pttl(owner)).toBeGreaterThan(50_000);
    expect(await long.release()).toBe(true);
    expect(await redis.client.pttl(owner)).toBeLessThanOrEqual(300);
    const { serverTime, untilServerTime } = reading(key);
    await untilServerTime((await serverTime()) + 900_000);
    expect(kept.held).toBe(true);
    expect(await short.release()).toBe(false);
    expect(await kept.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  function reading(key: string) {
    const state = new LockState(redis, key, 'semaphore');
    return {
      serverTime: () => state.serverTime(),
      untilServerTime: (micros: number) => state.untilServerTime(micros),
    };
  }

  it('are counted against the limit of the one who asks (BC-43)', async () => {
    const key = 'limits';
    const [five, two, ten] = [await open(), await open(), await open()];
    const once = { wait: 0 };
    const take = (locks: LockService, limit: number, options = {}) => locks.acquireSemaphore(key, limit, options);
    const held = [];
    for (let i = 0; i < 5; i++) held.push(await take(five, 5, once));
    await expect(take(five, 5, once)).rejects.toThrow('limit 5');
    await expect(take(two, 2, once)).rejects.toThrow('limit 2');

    // Raised: a process that knows the new limit finds room at once.
    for (let i = 0; i < 5; i++) held.push(await take(ten, 10, once));
    await expect(take(ten, 10, once)).rejects.toThrow('limit 10');

    // Lowered: who knows the new limit waits until there are fewer than that, the others do not pass it meanwhile.
    const state = new LockState(redis, key, 'semaphore');
    const inside: number[] = [];
    const drained = [1, 2, 3].map(() =>
      two.withSemaphore(key, 2, { wait: '10s' }, async () => {
        inside.push(await holders(key));
      }),
    );
    await state.untilWaiting(3);
    while (held.length > 2) {
      await held.pop()?.release();
      expect(await state.waiters()).toBe(3);
      await expect(take(ten, 10, once)).rejects.toThrow('limit 10');
    }
    await held.pop()?.release();
    await Promise.all(drained);
    expect(inside).toHaveLength(3);
    expect(Math.max(...inside)).toBeLessThanOrEqual(2);
    expect(await held.pop()?.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it('with different limits wait in one line (BC-43)', async () => {
    const key = 'one-line';
    const state = new LockState(redis, key, 'semaphore');
    const [one, other] = [await open(), await open()];
    const held = [];
    for (let i = 0; i < 5; i++) held.push(await one.acquireSemaphore(key, 5));
    const options = { wait: '10s' };
    const narrow = other.acquireSemaphore(key, 2, options);
    await state.untilWaiting(1);
    const wide = one.acquireSemaphore(key, 5, options);
    await state.untilWaiting(2);
    const settled = [watch(narrow), watch(wide)];
    for (let i = 0; i < 3; i++) await held.pop()?.release();
    // There is room for the second, but it does not pass the first.
    expect(await state.waiters()).toBe(2);
    expect(settled.map((isSettled) => isSettled())).toEqual([false, false]);
    await held.pop()?.release();
    const leases = await Promise.all([narrow, wide]);
    expect(leases[0].fence).toBeLessThan(leases[1].fence);
  });

  it('let those behind enter when a head that did not fit gives up', async () => {
    const key = 'head-leaves';
    const state = new LockState(redis, key, 'semaphore');
    // Nobody polls meanwhile, so that it is the leaving that lets them in.
    const calm = { pollInterval: '1m' };
    const [one, other] = [await open(calm), await open(calm)];
    const held = [];
    for (let i = 0; i < 3; i++) held.push(await one.acquireSemaphore(key, 3));
    const giveUp = new AbortController();
    const { signal } = giveUp;
    const narrow = other.acquireSemaphore(key, 1, { wait: '10s', signal });
    await state.untilWaiting(1);
    const wide = one.acquireSemaphore(key, 3, { wait: '10s' });
    await state.untilWaiting(2);
    await held.pop()?.release();
    expect(await state.waiters()).toBe(2);
    giveUp.abort(new Error('given up'));
    await expect(narrow).rejects.toThrow('given up');
    expect((await wide).held).toBe(true);
  });
});

describe('calls of one process (BC-42)', () => {
  const redis = useRedis();

  /** Runs 20 calls at once; gives the most that were inside at the same moment. */
  async function mostInside(run: (task: () => Promise<void>) => Promise<void>): Promise<number> {
    let inside = 0;
    let most = 0;
    const task = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside--;
    };
    await Promise.all(Array.from({ length: 20 }, () => run(task)));
    return most;
  }

  it('are one at a time in a lock and five at a time in a semaphore', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    expect(await mostInside((task) => locks.withLock('k', task))).toBe(1);
    expect(await mostInside((task) => locks.withSemaphore('k', 5, task))).toBe(5);
    expect(await redis.keys()).toEqual([]);
  });

  it.each([
    { kind: 'lock', limit: undefined },
    { kind: 'semaphore', limit: 1 },
  ] as const)('give back their own holding only: late release of a $kind', async ({ limit }) => {
    const { locks } = await openLocks({ connection: redis.url });
    const take = (options: object) =>
      limit === undefined ? locks.acquire('late', options) : locks.acquireSemaphore('late', limit, options);
    const late = await take({ ttl: 200, renew: false });
    const next = await take({ wait: '10s' });
    expect(late.held).toBe(false);
    expect(late.token).not.toBe(next.token);
    expect(await late.release()).toBe(false);
    expect(next.held).toBe(true);
    await expect(take({ wait: 0 })).rejects.toMatchObject({
      code: 'LOCK_BUSY',
    });
    expect(await next.release()).toBe(true);
  });
});
