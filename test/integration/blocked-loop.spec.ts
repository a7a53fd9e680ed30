import { describe, expect, it } from '@jest/globals';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Lease } from 'nestjs-redis-lock';
import { errorOf } from '../helpers/error-of.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';

const redis = useRedis();

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('an event loop that is blocked beyond the lease [BC-55]', () => {
  const looks: [string, (lease: Lease) => boolean][] = [
    ['held', (lease) => lease.held],
    ['remaining', (lease) => lease.remaining > 0],
    ['signal', (lease) => !lease.signal.aborted],
    ['assertHeld', (lease) => !errorOf(() => lease.assertHeld()).message.includes('lost')],
  ];

  it.each(looks)('is seen by %s before any await', async (_, look) => {
    const { locks } = await openLocks({ connection: redis.url });
    let owned = true;
    const section = locks.withLock('k', { ttl: 300 }, async (lease) => {
      await sleep(50);
      block(600);
      owned = look(lease);
      return 'written';
    });
    const loss = { code: 'LOCK_LOST', result: 'written' };
    await expect(section).rejects.toMatchObject(loss);
    expect(owned).toBe(false);
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
