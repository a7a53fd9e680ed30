import { describe, expect, it } from '@jest/globals';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';

const redis = useRedis();

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('an event loop that is blocked beyond the lease [BC-55]', () => {
  it('is seen before any await, by held, assertHeld and signal', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const seen: unknown[] = [];
    const section = locks.withLock('k', { ttl: 300 }, async (lease) => {
      const { signal } = lease;
      await sleep(50);
      block(600);
      seen.push(lease.held, lease.remaining);
      expect(() => lease.assertHeld()).toThrow('lost');
      seen.push(lease.signal.aborted, signal.aborted);
      return 'written';
    });
    const loss = { code: 'LOCK_LOST', result: 'written' };
    await expect(section).rejects.toMatchObject(loss);
    expect(seen).toEqual([false, 0, true, true]);
  });

  it('is told to who kept the signal, in the next round of the loop', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const { signal } = await locks.acquire('k', { ttl: 300 });
    block(600);
    await setImmediate();
    await setImmediate();
    expect(signal.aborted).toBe(true);
  });

  it('does not release or renew what another has taken meanwhile', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const lease = await locks.acquire('k', { ttl: 300 });
    block(600);
    // The renewal that is overdue must not come before or after it.
    await redis.client.set('lock:k', 'another', 'PX', 5000, 'NX');
    expect(await redis.client.get('lock:k')).toBe('another');
    expect(await lease.release()).toBe(false);
    expect(await redis.client.get('lock:k')).toBe('another');
    expect(await redis.client.pttl('lock:k')).toBeGreaterThan(4000);
  });
});
