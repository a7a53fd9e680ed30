import { afterEach, describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { useFaultProxy } from '../../helpers/fault-proxy.js';
import { LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { useRedis } from '../../helpers/use-redis.js';
import { WAYS } from '../../helpers/ways.js';

const redis = useRedis();
const way = useFaultProxy(redis);
const state = new LockState(redis, 'report');
const KEY = state.owner;

describe('Signal list: a release pushes one element; a waiter sleeps in BLPOP and then tries SET NX again', () => {
  const SIGNAL = 'signal:report';
  let waiter: Redis | undefined;
  const take = async (token: string) => (await redis.client.set(KEY, token, 'PX', 60_000, 'NX')) === 'OK';
  const release = async () => {
    await redis.client.del(KEY);
    await redis.client.lpush(SIGNAL, 1);
  };

  afterEach(() => waiter?.disconnect());

  it('the classic: the woken waiter loses to a newcomer and waits beyond its timeout', async () => {
    const TIMEOUT = 1;
    waiter = redis.client.duplicate();
    await take('holder');
    const since = performance.now();
    expect(await take('waiter')).toBe(false);
    const woken = waiter.blpop(SIGNAL, TIMEOUT);
    await sleep(500);
    await release();
    expect(await take('newcomer')).toBe(true); // Quicker than the woken one.
    expect(await woken).not.toBeNull();
    expect(await take('waiter')).toBe(false);
    // It sleeps again, and every sleep has the whole timeout.
    expect(await waiter.blpop(SIGNAL, TIMEOUT)).toBeNull();
    expect(performance.now() - since).toBeGreaterThan(1_400);
  });

  it('here: a newcomer is refused while the woken waiter is not even awake [BC-48]', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const slow = await openLocks({ connection: way.url });
    const holding = await locks.acquire('report');
    const waiter = slow.locks.acquire('report');
    await state.untilWaiting(1);
    const news = way.hold('replies');
    await holding.release();
    expect(await locks.tryAcquire('report')).toBeNull();
    news.letGo();
    const lease = await waiter;
    expect(await redis.client.get(KEY)).toBe(lease.token);
  });

  it.each(WAYS)(
    'here: a waiter that others come before waits for its own time and no longer, $way',
    async ({ fair }) => {
      const { locks } = await openLocks({ connection: redis.url, defaults: { fair } });
      const holding = await locks.acquire('report');
      const others = [1, 2, 3].map(() => locks.acquire('report'));
      const since = performance.now();
      const late = locks.acquire('report', { wait: 2_000 });
      const refused = expect(late).rejects.toMatchObject({ code: 'LOCK_BUSY' });
      let last = holding;
      for (const next of others) {
        await sleep(200);
        await last.release();
        last = await next;
      }
      await refused;
      const waited = performance.now() - since;
      expect(waited).toBeGreaterThan(1_990);
      expect(waited).toBeLessThan(2_500);
      expect(last.held).toBe(true);
    },
  );
});
