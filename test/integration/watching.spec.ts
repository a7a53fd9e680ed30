import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { openLocks } from '../helpers/open-locks.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

describe('watching locks', () => {
  const redis = useRedis();
  let events: Record<string, unknown>[];
  const listen = (message: unknown): void => void events.push(message as Record<string, unknown>);

  beforeEach(() => {
    events = [];
    subscribe('nestjs-redis-lock', listen);
  });

  afterEach(() => void unsubscribe('nestjs-redis-lock', listen));

  it('publishes how long a lock was waited for and held, what was busy, and what was lost', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    await locks
      .withLock('orders', async (lease) => {
        await expect(locks.forceRelease('unheld')).resolves.toBe(false);
        const other = await openLocks({ connection: redis.url });
        await expect(other.locks.tryAcquire('orders')).resolves.toBeNull();
        await redis.client.del('lock:orders');
        await lease.extend('10s').catch(() => undefined);
      })
      .catch(() => undefined);

    const kinds = events.map(({ event }) => event);
    expect(kinds).toEqual(['acquired', 'busy', 'lost', 'released']);
    expect(events[0]).toMatchObject({ kind: 'lock', key: 'orders' });
    expect(events[0]?.waited).toBeGreaterThanOrEqual(0);
    expect(events[3]).toMatchObject({ kind: 'lock', key: 'orders' });
    expect(events[3]?.held).toBeGreaterThan(0);
  });

  it('tells of each call in its own asynchronous context, also where many share a command', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const requests = new AsyncLocalStorage<string>();
    const told: string[] = [];
    const tell = (message: unknown): void => {
      const { event, key } = message as { event: string; key: string };
      told.push(`${event} ${key} of ${requests.getStore()}`);
    };
    const held = await locks.acquire('busy');
    subscribe('nestjs-redis-lock', tell);
    const call = (key: string) => requests.run(key, () => locks.withLock(key, { wait: 0 }, () => undefined));
    const results = await Promise.allSettled(['a', 'busy', 'b'].map(call));
    unsubscribe('nestjs-redis-lock', tell);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(told.sort()).toEqual([
      'acquired a of a',
      'acquired b of b',
      'busy busy of busy',
      'released a of a',
      'released b of b',
    ]);
    await held.release();
  });

  it('warns at the start when the server may evict locks', async () => {
    await redis.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    try {
      const logger = new RecordingLogger();
      const { locks } = await openLocks({ connection: redis.url, logger });
      await locks.withLock('orders', () => Promise.resolve());
      await waitUntil(() => logger.warnings.length > 0, 'a warning');
      expect(logger.warnings).toEqual([expect.stringContaining('allkeys-lru')]);
    } finally {
      await redis.client.config('SET', 'maxmemory-policy', 'noeviction');
    }
  });

  it('warns once of a lock that is held ten times as long as its ttl, and names the holder', async () => {
    const logger = new RecordingLogger();
    const { locks } = await openLocks({ connection: redis.url, logger });
    await locks.withLock('orders', { ttl: 100 }, async function settle() {
      await waitUntil(() => logger.warnings.length > 0, 'a warning');
      const seen = events.length;
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(events).toHaveLength(seen);
    });
    expect(logger.warnings).toEqual([expect.stringMatching(/"orders" has been held by settle .*maxHold/)]);
  });
});
