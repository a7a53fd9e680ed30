import { describe, expect, it } from '@jest/globals';
import { LockUnavailableError } from 'nestjs-redis-lock';
import { useFaultProxy } from '../../helpers/fault-proxy.js';
import { LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { useProcessEvents } from '../../helpers/process-events.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const processEvents = useProcessEvents();
const state = new LockState(redis, 'k');
const CALLERS = [1, 2, 3, 4];

const open = async (module = {}) => (await openLocks({ connection: proxy.url, ...module })).locks;

describe('A cohort without Redis', () => {
  it('tells every caller that locks are not available, each with an error of its own', async () => {
    const elsewhere = (await openLocks({ connection: redis.url })).locks;
    const locks = await open();
    const held = await elsewhere.acquire('k');
    const waiting = CALLERS.map((i) => locks.acquire('k', { wait: 2_000 + 50 * i }).catch((error: unknown) => error));
    await state.untilWaiting(1);
    proxy.down();
    const errors = await Promise.all(waiting);
    for (const error of errors) expect(error).toBeInstanceOf(LockUnavailableError);
    expect(new Set(errors).size).toBe(CALLERS.length);
    await held.release();
    expect(processEvents.seen).toEqual([]);
  });

  it('passes on what is certainly held, and gives it back when Redis is there again', async () => {
    const locks = await open({ cohort: { time: '1m' } });
    const first = await locks.acquire('k');
    const waiting = CALLERS.map((i) => locks.withLock('k', { wait: '1m' }, () => i));
    proxy.down();
    expect(await first.release()).toBe(true);
    const done = Promise.all(waiting);
    proxy.up();
    expect(await done).toEqual(CALLERS);
    await expect(locks.withLock('k', { wait: '1m' }, () => 'again')).resolves.toBe('again');
    expect(processEvents.seen).toEqual([]);
  });

  it('has the lock again when a release that was not answered could be sent anew', async () => {
    const locks = await open({ commandTimeout: 300, cohort: { passes: 1 } });
    const first = await locks.acquire('k', { ttl: 1_500 });
    const waiting = CALLERS.map((i) => locks.withLock('k', { ttl: 1_500, wait: '1m' }, () => i));
    const held = proxy.hold('requests');
    const { attempts } = proxy;
    // Passed on once; the second release does not arrive.
    await first.release();
    await waiting[0];
    await waitUntil(() => proxy.attempts > attempts, 'another connection');
    held.letGo();
    expect(await Promise.all(waiting)).toEqual(CALLERS);
    expect(processEvents.seen).toEqual([]);
    expect(await redis.keys()).toEqual([]);
  });

  it('hears of the refusal of a server, all callers at once, and asks anew for the next', async () => {
    const locks = await open();
    await redis.client.hset('lock:k', 'a', 'b');
    const results = await Promise.all(CALLERS.map(() => locks.acquire('k').catch((error: unknown) => error)));
    for (const error of results) {
      expect(error).toBeInstanceOf(LockUnavailableError);
      expect(String((error as Error).cause)).toContain('WRONGTYPE');
    }
    await redis.client.del('lock:k');
    await (await locks.acquire('k')).release();
    expect(await redis.keys()).toEqual([]);
  });
});
