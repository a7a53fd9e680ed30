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

const full = new Error('the log is full');
const WAYS = {
  'at once': (): void => {
    throw full;
  },
  later: (): Promise<never> => Promise.reject(full),
};

/** Counts what it is told, and fails on everything. */
class BrokenLogger extends RecordingLogger {
  override readonly log = this.fail;
  override readonly warn = this.fail;
  told = 0;

  constructor(private readonly how: () => unknown) {
    super();
  }

  private get fail(): (text: unknown) => unknown {
    return () => {
      this.told += 1;
      return this.how();
    };
  }
}

describe('a logger that throws (BC-13)', () => {
  it.each(Object.entries(WAYS))('%s ends neither the process nor the work', async (_, how) => {
    const logger = new BrokenLogger(how);
    const { locks } = await openLocks({ connection: proxy.url, logger });
    await locks.withLock('k', { ttl: 500 }, () => waitUntil(() => logger.told === 1, 'the warning of its age'));
    proxy.down();
    await waitUntil(() => logger.told === 2, 'the warning of the outage');
    proxy.up();
    await waitUntil(() => logger.told === 3, 'the line of its end');
    expect(await locks.withLock('k', () => 'done')).toBe('done');
    expect(processEvents.seen).toEqual([]);
  });
});
