import { beforeEach, describe, expect, it } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { asksFor, loadScripts } from '../helpers/script-requests.js';
import { timed } from '../helpers/timed.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const processEvents = useProcessEvents();

beforeEach(() => loadScripts(redis));

describe('a release after the lease ran out [BC-51]', () => {
  const lapse = async () => {
    const [a, b, c] = await Promise.all([
      openLocks({ connection: redis.url }),
      openLocks({ connection: redis.url }),
      openLocks({ connection: redis.url }),
    ]);
    const late = await a.locks.acquire('k', { ttl: 200, renew: false });
    const owner = await b.locks.acquire('k');
    return { a, late, owner, c };
  };

  it('answers false at once and leaves the lock to its new owner', async () => {
    const { late, owner, c } = await lapse();
    expect(late.held).toBe(false);
    const { took, value } = await timed(() => late.release());
    expect(value).toBe(false);
    expect(took).toBeLessThan(250);
    expect(await redis.client.get('lock:k')).toBe(owner.token);
    expect(await c.locks.tryAcquire('k')).toBeNull();
    expect(owner.held).toBe(true);
    expect(await owner.release()).toBe(true);
  });

  it('at the end of the application leaves it, too', async () => {
    const { a, owner } = await lapse();
    await a.close();
    expect(await redis.client.get('lock:k')).toBe(owner.token);
    expect(await owner.release()).toBe(true);
  });

  it('answers false to work that went on for longer than the shutdown waited', async () => {
    const { locks, close } = await openLocks({ connection: redis.url, shutdownTimeout: 0 });
    const lease = await locks.acquire('k');
    await close();
    expect(await redis.keys()).toEqual([]);
    expect(lease.held).toBe(false);
    expect(await lease.release()).toBe(false);
  });

  it('is no loss when the shutdown does not wait for the answer to a release any more', async () => {
    const { locks, close } = await openLocks({ connection: proxy.url, shutdownTimeout: 50, commandTimeout: 500 });
    const lease = await locks.acquire('k');
    const { signal } = lease;
    const losses: unknown[] = [];
    const listen = (message: unknown): void => {
      if ((message as { event: string }).event === 'lost') losses.push(message);
    };
    subscribe('nestjs-redis-lock', listen);
    const replies = proxy.hold('replies');
    const released = lease.release();
    const closing = close();
    await waitUntil(async () => (await redis.keys()).length === 0, 'the release in Redis');
    await new Promise((resolve) => setTimeout(resolve, 200));
    replies.letGo();
    expect(await released).toBe(true);
    await closing;
    unsubscribe('nestjs-redis-lock', listen);
    expect(losses).toEqual([]);
    expect(signal.aborted).toBe(false);
  });

  it('does not extend what is somebody else’s', async () => {
    const { late, owner } = await lapse();
    await expect(late.extend('1h')).rejects.toMatchObject({
      code: 'LOCK_LOST',
    });
    expect(await redis.client.pttl('lock:k')).toBeLessThan(60_000);
    expect(await redis.client.get('lock:k')).toBe(owner.token);
  });

  it('of a semaphore leaves the permits of others alone', async () => {
    const [a, b] = await Promise.all([openLocks({ connection: redis.url }), openLocks({ connection: redis.url })]);
    const options = { ttl: 200, renew: false };
    const late = await a.locks.acquireSemaphore('k', 1, options);
    const owner = await b.locks.acquireSemaphore('k', 1);
    expect(await late.release()).toBe(false);
    const holders = await redis.client.zrange('semaphore:k', '0', '-1');
    expect(holders).toEqual([owner.token]);
  });
});

describe('a release with a token that is not in the key', () => {
  it('never releases: the same process has a new token for every holding', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const first = await locks.acquire('k', { ttl: 100, renew: false });
    const second = await locks.acquire('k');
    expect(await first.release()).toBe(false);
    expect(await redis.client.get('lock:k')).toBe(second.token);
  });

  it('never releases what another program wrote over the key', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const lease = await locks.acquire('k');
    await redis.client.set('lock:k', 'foreign', 'PX', 5000);
    expect(await lease.release()).toBe(false);
    expect(await redis.client.get('lock:k')).toBe('foreign');
  });

  it('counts once: later calls give the answer of the first', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const lease = await locks.acquire('k');
    const both = [lease.release(), lease.release()];
    expect(await Promise.all(both)).toEqual([true, true]);
    await using other = await locks.acquire('k');
    expect(await lease.release()).toBe(true);
    expect(await redis.client.get('lock:k')).toBe(other.token);
  });
});

describe('a release whose answer is lost', () => {
  it('counts as done when it was', async () => {
    const { locks } = await openLocks({ connection: proxy.url });
    const lease = await locks.acquire('k');
    const lost = proxy.loseReplyTo(asksFor('lock-release'));
    expect(await lease.release()).toBe(true);
    await lost;
    expect(lease.signal.aborted).toBe(false);
    expect(await redis.keys()).toEqual([]);
  });

  it('is made good when it was not done', async () => {
    const { locks } = await openLocks({ connection: proxy.url });
    const lease = await locks.acquire('k', { ttl: 60_000 });
    proxy.cut();
    expect(await lease.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });
});

describe('a section whose release is not answered [BC-18]', () => {
  class OutOfStock extends Error {}
  const outage: [string, () => unknown][] = [
    ['the connection ends', () => proxy.down()],
    ['Redis says nothing any more', () => proxy.blackhole()],
  ];
  let logger: RecordingLogger;
  const open = () => {
    logger = new RecordingLogger();
    const options = { connection: proxy.url, commandTimeout: 300, logger };
    return openLocks(options);
  };
  const releaseWarnings = () => logger.warnings.filter((text) => text.includes('released'));

  it.each(outage)('gives its result, with a warning: %s', async (_, begin) => {
    const { locks } = await open();
    const section = locks.withLock('k', () => {
      begin();
      return 42;
    });
    expect(await section).toBe(42);
    expect(releaseWarnings()).toHaveLength(1);
    expect(processEvents.seen).toEqual([]);
  });

  it.each(outage)('gives its own error: %s', async (_, begin) => {
    const { locks } = await open();
    const error = new OutOfStock();
    const section = locks.withLock('k', () => {
      begin();
      throw error;
    });
    await expect(section).rejects.toBe(error);
    expect(releaseWarnings()).toHaveLength(1);
    expect(processEvents.seen).toEqual([]);
  });

  it('is over for callers after commandTimeout, and is released once Redis is back', async () => {
    const { locks } = await open();
    const lease = await locks.acquire('k', { ttl: 60_000 });
    proxy.down();
    const { took, error } = await timed(() => lease.release());
    expect(error).toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    expect(took).toBeGreaterThan(250);
    expect(took).toBeLessThan(700);
    proxy.up();
    await waitUntil(async () => (await redis.keys()).length === 0, 'released');
  });

  it('gives its own error when the lock was lost, and its result only beside the loss', async () => {
    const { locks } = await open();
    const error = new OutOfStock();
    const failing = locks.withLock('k', async () => {
      await redis.client.del('lock:k');
      throw error;
    });
    await expect(failing).rejects.toBe(error);
    const body = async () => {
      await redis.client.del('lock:k');
      return 42;
    };
    await expect(locks.withLock('k', body)).rejects.toMatchObject({
      code: 'LOCK_LOST',
      result: 42,
    });
    expect(await locks.withLock('k', { onLost: 'ignore' }, body)).toBe(42);
    expect(logger.warnings).toHaveLength(1);
  });
});
