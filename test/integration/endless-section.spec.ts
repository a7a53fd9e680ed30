import { describe, expect, it } from '@jest/globals';
import { hostname } from 'node:os';
import { openLocks } from '../helpers/open-locks.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();

/** What it waits for never comes. */
const forever = () => new Promise<never>(() => undefined);

describe('a section that never ends', () => {
  it('is renewed and warned of once, and whoever looks sees which process and method it is (BC-76)', async () => {
    const logger = new RecordingLogger();
    const { locks } = await openLocks({ connection: redis.url, logger });
    function importCatalogue() {
      return forever();
    }
    void locks.withLock('catalogue', { ttl: 500 }, importCatalogue).catch(() => undefined);
    await waitUntil(() => logger.warnings.length > 0, 'the warning');
    const other = await openLocks({ connection: redis.url });
    const { holders } = await other.locks.inspect('catalogue');
    expect(holders).toEqual([
      expect.objectContaining({ label: 'importCatalogue', host: hostname(), pid: process.pid }),
    ]);
    expect(holders[0]?.remaining).toBeLessThanOrEqual(500);
    // Three leases more.
    const again = performance.now() + 1_600;
    await waitUntil(() => performance.now() > again, 'three more leases');
    expect(await other.locks.tryAcquire('catalogue')).toBeNull();
    expect(logger.warnings).toEqual([expect.stringMatching(/"catalogue".*importCatalogue.*maxHold/)]);
    // Who wants it back without an end of that process can have it.
    expect(await other.locks.forceRelease('catalogue')).toBe(true);
    await (await other.locks.acquire('catalogue')).release();
  });

  it('holds its lock for maxHold at most (BC-76)', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    let aborted = 0;
    void locks
      .withLock('catalogue', { ttl: 500, maxHold: 1_500 }, ({ signal }) => {
        signal.addEventListener('abort', () => aborted++);
        return forever();
      })
      .catch(() => undefined);
    await waitUntil(async () => (await redis.client.exists('lock:catalogue')) === 1, 'the section is entered');
    const other = await openLocks({ connection: redis.url });
    await other.locks.withLock('catalogue', { wait: '1m' }, async () => {
      await waitUntil(() => aborted > 0, 'the section is told');
    });
    expect(aborted).toBe(1);
    expect(await redis.keys()).toEqual([]);
  });
});
