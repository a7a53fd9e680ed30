import { describe, expect, it } from '@jest/globals';
import type { LockService } from 'nestjs-redis-lock';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';

const redis = useRedis();
const HANDOVERS = 2000;
/** A waiter that was not told would sleep until its next poll, or until the lease it was not told of ran out. */
const POLL = 3000;

describe.each(['lock', 'semaphore'] as const)('thousands of handovers of a %s between two clients [BC-07]', (kind) => {
  it('are all told: the slowest is far below a poll', async () => {
    const options = { connection: redis.url, pollInterval: POLL };
    const clients = [await openLocks(options), await openLocks(options)];
    const order: number[] = [];
    let slowest = 0;
    let last = performance.now();
    const enter = async () => {
      slowest = Math.max(slowest, performance.now() - last);
      // Somebody waits from here on, or comes at any moment of the release.
      await new Promise((resolve) => setImmediate(resolve));
      last = performance.now();
    };
    const once = (locks: LockService) =>
      kind === 'lock' ? locks.withLock('k', enter) : locks.withSemaphore('k', 1, enter);
    const run = async (locks: LockService, name: number) => {
      for (let i = 0; i < HANDOVERS; i++) {
        await once(locks);
        order.push(name);
      }
    };
    await Promise.all(clients.map(({ locks }, name) => run(locks, name)));
    const changes = order.filter((name, i) => name !== order[i - 1]).length;
    expect(changes).toBeGreaterThan(HANDOVERS);
    expect(slowest).toBeLessThan(POLL / 3);
    expect(await redis.keys()).toEqual([]);
  });
});
