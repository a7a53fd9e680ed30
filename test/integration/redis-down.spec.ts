import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisLockModuleOptions } from 'nestjs-redis-lock';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { timed } from '../helpers/timed.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const processEvents = useProcessEvents();
const unavailable = { code: 'LOCK_UNAVAILABLE' };

const open = async (options: RedisLockModuleOptions = {}) =>
  (await openLocks({ connection: proxy.url, ...options })).locks;
type Locks = Awaited<ReturnType<typeof open>>;

/** Rejects because of Redis, not because of contention, about when `wait` is over. */
async function expectUnavailable(locks: Locks, wait: number): Promise<void> {
  let entered = false;
  const { took, error } = await timed(() => locks.withLock('k', { wait }, () => (entered = true)));
  expect(error).toMatchObject(unavailable);
  expect(entered).toBe(false);
  expect(took).toBeGreaterThanOrEqual(wait - 5);
  expect(took).toBeLessThan(wait + 300);
}

describe('the time that a caller waits for a Redis that is down [BC-30]', () => {
  it('is what it asked for, when Redis was never there', async () => {
    proxy.down();
    const locks = await open();
    await expectUnavailable(locks, 500);
    await expectUnavailable(locks, 0);
  });

  it('is what it asked for, when Redis died after it was ready', async () => {
    const locks = await open();
    await locks.withLock('k', () => undefined);
    proxy.down();
    await expectUnavailable(locks, 500);
    await expectUnavailable(locks, 0);
    expect(processEvents.seen).toEqual([]);
  });

  it('is what it asked for, when Redis takes everything and says nothing', async () => {
    const locks = await open({ commandTimeout: 600 });
    await locks.withLock('k', () => undefined);
    proxy.hold('replies');
    await expectUnavailable(locks, 300);
  });

  it('ends with commandTimeout for one try, when Redis says nothing', async () => {
    const locks = await open({ commandTimeout: 300 });
    await locks.withLock('k', () => undefined);
    proxy.hold('replies');
    const { took, error } = await timed(() => locks.acquire('k', { wait: 0 }));
    expect(error).toMatchObject(unavailable);
    expect(took).toBeLessThan(700);
  });

  it('holds for who waits already when Redis dies', async () => {
    const [holder, waiter] = await Promise.all([openLocks({ connection: redis.url }), open()]);
    await holder.locks.acquire('k');
    const waiting = timed(() => waiter.acquire('k', { wait: 700 }));
    const queued = async () => (await redis.keys()).length === 3;
    await waitUntil(queued, 'queued');
    proxy.down();
    const { took, error } = await waiting;
    expect(error).toMatchObject(unavailable);
    expect(took).toBeGreaterThan(690);
    expect(took).toBeLessThan(1100);
  });

  it('bounds a look into the lock, too', async () => {
    proxy.down();
    const locks = await open({ commandTimeout: 300 });
    const { took, error } = await timed(() => locks.inspect('k'));
    expect(error).toMatchObject(unavailable);
    expect(took).toBeLessThan(700);
    await expect(locks.forceRelease('k')).rejects.toMatchObject(unavailable);
  });
});

describe('Redis coming later', () => {
  it('serves those who still wait, without a restart [BC-33]', async () => {
    proxy.down();
    const locks = await open();
    const waiting = locks.withLock('k', { wait: 5000 }, () => 'done');
    await sleep(200);
    proxy.up();
    expect(await waiting).toBe('done');
    expect(processEvents.seen).toEqual([]);
  });

  it('finds waiters in their old order after an outage', async () => {
    const [holder, a, b] = await Promise.all([openLocks({ connection: redis.url }), open(), open()]);
    const held = await holder.locks.acquire('k', { ttl: 60_000 });
    const order: string[] = [];
    const waiting = [];
    for (const [locks, name] of [
      [a, 'a'],
      [b, 'b'],
      [a, 'a again'],
    ] as const) {
      const before = waiting.length;
      waiting.push(locks.withLock('k', () => void order.push(name)));
      const count = () => redis.client.zcard('queue:{lock:k}');
      await waitUntil(async () => (await count()) > before, 'queued');
    }
    proxy.down();
    await sleep(100);
    proxy.up();
    const connected = async () => (await redis.client.pubsub('CHANNELS', 'lock:wake:*')).length === 2;
    await waitUntil(connected, 'back');
    await held.release();
    await Promise.all(waiting);
    expect(order).toEqual(['a', 'b', 'a again']);
  });
});

describe('what an outage writes into the log [BC-33]', () => {
  it('is one warning per connection, however long it lasts, and one line at its end', async () => {
    const logger = new RecordingLogger();
    const holder = await openLocks({ connection: redis.url });
    await holder.locks.acquire('k', { ttl: 60_000 });
    const locks = await open({ logger });
    // Both connections are open.
    await expect(locks.acquire('k', { wait: 50 })).rejects.toMatchObject({
      code: 'LOCK_BUSY',
    });
    for (let outage = 1; outage <= 2; outage++) {
      const { attempts } = proxy;
      proxy.down();
      const calls = Array.from({ length: 20 }, () => locks.acquire('k', { wait: 50 }).catch(() => undefined));
      await waitUntil(() => proxy.attempts >= attempts + 8, 'many attempts');
      await Promise.all(calls);
      proxy.up();
      const lines = 4 * outage;
      await waitUntil(() => logger.lines.length >= lines, 'back');
      expect(logger.lines).toHaveLength(lines);
      expect(logger.warnings).toHaveLength(2 * outage);
    }
  });

  it('is one warning when Redis is down at boot', async () => {
    proxy.down();
    const logger = new RecordingLogger();
    const locks = await open({ logger });
    await waitUntil(() => proxy.attempts >= 4, 'several attempts');
    await locks.tryAcquire('k').catch(() => undefined);
    expect(logger.lines).toHaveLength(1);
    expect(logger.warnings).toHaveLength(1);
  });
});
