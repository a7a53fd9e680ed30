import { describe, expect, it } from '@jest/globals';
import { LockBusyError, LockClosedError } from 'nestjs-redis-lock';
import { CommandCount, LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { untilListening } from '../../helpers/until-listening.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';

const redis = useRedis();
const state = new LockState(redis, 'k');
const open = async (module = {}) => (await openLocks({ connection: redis.url, ...module })).locks;

const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it got the lock',
    (error: unknown) => error,
  );

describe('A caller of a cohort that gives up', () => {
  it('costs no command while others of its process wait or hold, and the last one takes the entry along [BC-10]', async () => {
    const count = new CommandCount(redis);
    const [one, other] = [await open(), await open()];
    const held = await other.acquire('k');
    const patience = [new AbortController(), new AbortController(), new AbortController()];
    const waiting = patience.map(({ signal }) => reasonOf(one.acquire('k', { signal, wait: '1m' })));
    await state.untilWaiting(1);
    await count.reset();
    patience[0]?.abort('first');
    patience[1]?.abort('second');
    expect(await Promise.all(waiting.slice(0, 2))).toEqual(['first', 'second']);
    expect(await count.scripts()).toBe(0);
    expect(await state.waiters()).toBe(1);
    patience[2]?.abort('last');
    expect(await waiting[2]).toBe('last');
    await state.untilWaiting(0);
    expect(await redis.keys()).toEqual([state.owner]);
    await held.release();
  });

  it('in the middle of the line leaves the others in their order', async () => {
    const locks = await open();
    const held = await locks.acquire('k');
    const patience = new AbortController();
    const served: string[] = [];
    const call = (name: string, signal?: AbortSignal) =>
      reasonOf(locks.withLock('k', { wait: '1m', ...(signal && { signal }) }, () => void served.push(name)));
    const waiting = [call('a'), call('b', patience.signal), call('c')];
    patience.abort('gone');
    await held.release();
    expect((await Promise.all(waiting))[1]).toBe('gone');
    expect(served).toEqual(['a', 'c']);
  });

  it('in the same breath as the pass does not take the lock from the next [BC-40]', async () => {
    const locks = await open();
    for (let i = 0; i < 50; i++) {
      const held = await locks.acquire('k');
      const patience = new AbortController();
      const first = reasonOf(locks.withLock('k', { signal: patience.signal, wait: '1m' }, () => 'first'));
      const second = locks.withLock('k', { wait: '1m' }, () => 'second');
      const released = held.release();
      if (i % 2) await Promise.resolve();
      patience.abort();
      expect(await released).toBe(true);
      await first;
      expect(await second).toBe('second');
    }
    expect(await redis.keys()).toEqual([]);
  });

  it('hears at the end of its own wait who has the lock, in its own process or elsewhere', async () => {
    const [one, other] = [await open(), await open()];
    for (const holder of [one, other]) {
      const held = await holder.acquire('k', { ttl: '30s' });
      const waits = [120, 40, 80].map((wait) => reasonOf(one.acquire('k', { wait })));
      for (const error of await Promise.all(waits)) {
        expect(error).toBeInstanceOf(LockBusyError);
        expect((error as Error).message).toMatch(/is busy \(waited \d+ ms\); held by acquire \(host .*, pid \d+\)/);
        expect((error as LockBusyError).retryAfter).toBeGreaterThan(20);
      }
      await held.release();
    }
  });

  it('is told of a shutdown, and those inside go on to their end', async () => {
    const { locks, close } = await openLocks({ connection: redis.url, shutdownTimeout: '10s' });
    const held = await locks.acquire('k');
    const waiting = Array.from({ length: 5 }, () => reasonOf(locks.acquire('k', { wait: '1m' })));
    const closing = close();
    for (const error of await Promise.all(waiting)) expect(error).toBeInstanceOf(LockClosedError);
    expect(held.held).toBe(true);
    expect(await held.release()).toBe(true);
    await closing;
    expect(await redis.keys()).toEqual([]);
  });
});

describe('When the turn of a process ends by itself', () => {
  it('callers who wait get the lock after a release by force, behind those who waited elsewhere', async () => {
    const [one, other] = [await open(), await open()];
    const held = await one.acquire('k');
    const served: string[] = [];
    const waiting = [
      one.withLock('k', { wait: '1m' }, () => void served.push('one')),
      other.withLock('k', { wait: '1m' }, () => void served.push('other')),
    ];
    await state.untilWaiting(1);
    expect(await other.forceRelease('k')).toBe(true);
    await Promise.all(waiting);
    expect(served).toEqual(['other', 'one']);
    expect(held.signal.aborted).toBe(true);
    expect(await held.release()).toBe(false);
  });

  it.each(['their own', 'another'])(
    'callers who wait get the lock after a release by force of %s process',
    async (who) => {
      const [one, other] = [await open(), await open()];
      const held = await one.acquire('k', { ttl: '1h' });
      const waiting = one.acquire('k', { ttl: '1h', wait: '1m' });
      await untilListening(redis, 1);
      expect(await (who === 'another' ? other : one).forceRelease('k')).toBe(true);
      // Not only when the next renewal finds out, which would be after twenty minutes.
      const next = await waiting;
      expect(next.token).not.toBe(held.token);
      expect(held.signal.aborted).toBe(true);
      expect(await held.release()).toBe(false);
      expect(await next.release()).toBe(true);
    },
  );

  it('a loss is told to whoever has the lease by then, and to nobody else', async () => {
    const [one, other] = [await open({ cohort: { time: '1m' } }), await open()];
    const first = await one.acquire('k', { ttl: 600 });
    const next = one.acquire('k', { ttl: 600 });
    await first.release();
    const second = await next;
    await redis.client.set('lock:k', 'of somebody else', 'PX', 60_000);
    await waitUntil(() => second.signal.aborted, 'the loss');
    expect(first.signal.aborted).toBe(false);
    expect(second.signal.reason).toMatchObject({ code: 'LOCK_LOST' });
    expect(await second.release()).toBe(false);
    expect(await other.tryAcquire('k')).toBeNull();
  });

  it('the key of a lease that was taken away does not keep the next caller waiting', async () => {
    const locks = await open();
    const first = await locks.acquire('k');
    const next = locks.acquire('k', { wait: '1m' });
    await redis.client.del('lock:k');
    // It cannot know, so the next one has a lease that is not in Redis, until its renewal.
    expect(await first.release()).toBe(true);
    const second = await next;
    await waitUntil(() => !second.held, 'the loss');
    await second.release();
    expect(await locks.tryAcquire('k')).not.toBeNull();
  });
});
