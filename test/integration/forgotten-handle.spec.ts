import { describe, expect, it } from '@jest/globals';
import type { LockService } from 'nestjs-redis-lock';
import { collectGarbage } from '../helpers/collect-garbage.js';
import { openLocks } from '../helpers/open-locks.js';
import { timed } from '../helpers/timed.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
/** Collecting the garbage of a test runner stops the process for a good part of a second. */
const options = { ttl: 6000 };

/** In a function of its own, so that nothing keeps the handles. */
async function drop(locks: LockService): Promise<void> {
  await locks.acquire('dropped', options);
  await locks.acquireSemaphore('dropped', 1, options);
}

async function untilLapsed(): Promise<void> {
  await collectGarbage();
  const lapsed = async () => (await redis.client.exists('lock:dropped', 'semaphore:dropped')) === 0;
  await waitUntil(lapsed, 'lapsed');
}

describe('a handle that was dropped without a release', () => {
  it('is renewed no more, so that lock and permit lapse; one that was kept stays', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    await drop(locks);
    // The collection may stop this process for longer than a short lease; the classics look at a renewal, in a process of its own.
    const kept = await locks.acquire('kept', { ttl: '1m' });
    await untilLapsed();
    expect(kept.held).toBe(true);
    expect(await kept.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it('does not hold up the end of the application', async () => {
    const client = await openLocks({ connection: redis.url, shutdownTimeout: '10s' });
    await drop(client.locks);
    await untilLapsed();
    expect((await timed(() => client.close())).took).toBeLessThan(3000);
  });
});
