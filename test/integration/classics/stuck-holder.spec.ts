import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease } from 'nestjs-redis-lock';
import { openLocks } from '../../helpers/open-locks.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';

const redis = useRedis();
const KEY = 'lock:report';

describe('Renewal beside the work: a timer keeps the lease alive for as long as the process lives', () => {
  let timer: NodeJS.Timeout | undefined;
  afterEach(() => clearInterval(timer));

  it('the classic: the lock of a section that is stuck is renewed for ever', async () => {
    const LEASE = 500;
    await redis.client.set(KEY, 'stuck', 'PX', LEASE, 'NX');
    const renew = () => void redis.client.pexpire(KEY, LEASE);
    timer = setInterval(renew, LEASE / 5);
    const end = performance.now() + 4 * LEASE;
    while (performance.now() < end) {
      const took = await redis.client.set(KEY, 'waiter', 'PX', LEASE, 'NX');
      expect(took).toBeNull();
      await sleep(5);
    }
  });

  it('here: maxHold ends the renewal, tells the stuck section and lets the next one in', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    let lease: Lease | undefined;
    let end: (result: string) => void = () => undefined;
    const stuckIn = new Promise<string>((resolve) => (end = resolve));
    const stuck = locks.withLock('report', { ttl: 1_000, maxHold: 3_000 }, async (given) => {
      lease = given;
      return stuckIn;
    });
    await waitUntil(() => lease !== undefined, 'the section is entered');
    const since = performance.now();
    const next = await locks.acquire('report', { wait: 10_000 });
    const waited = performance.now() - since;
    expect(waited).toBeGreaterThan(2_500); // So it was renewed, several times.
    expect(waited).toBeLessThan(5_000);
    expect(lease?.held).toBe(false);
    expect(lease?.signal.aborted).toBe(true);
    expect(String(lease?.signal.reason)).toMatch(/LockLostError.*maxHold/);

    end('done');
    await expect(stuck).rejects.toMatchObject({
      code: 'LOCK_LOST',
      result: 'done',
    });
    expect(next.held).toBe(true);
  });
});
