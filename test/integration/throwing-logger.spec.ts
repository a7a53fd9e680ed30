import { describe, expect, it } from '@jest/globals';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const processEvents = useProcessEvents();

/** Counts what it is told, and fails on everything. */
class BrokenLogger extends RecordingLogger {
  override readonly log = this.fail;
  override readonly warn = this.fail;
  told = 0;

  private get fail(): (text: unknown) => void {
    return () => {
      this.told += 1;
      throw new Error('the log is full');
    };
  }
}

describe('a logger that throws (BC-13)', () => {
  it('ends neither the process nor the work: of an outage, and of a lock that is held for long', async () => {
    const logger = new BrokenLogger();
    const { locks } = await openLocks({ connection: proxy.url, logger });
    await locks.withLock('k', { ttl: 150 }, () => waitUntil(() => logger.told === 1, 'the warning of its age'));
    proxy.down();
    await waitUntil(() => logger.told === 2, 'the warning of the outage');
    proxy.up();
    await waitUntil(() => logger.told === 3, 'the line of its end');
    expect(await locks.withLock('k', () => 'done')).toBe('done');
    expect(processEvents.seen).toEqual([]);
  });
});
