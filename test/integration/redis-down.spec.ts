import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RedisLockModuleOptions } from 'nestjs-redis-lock';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { timed } from '../helpers/timed.js';
import { openChannel } from '../helpers/until-listening.js';
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
    await expect(locks.acquire('k', { wait: 100 })).rejects.toThrow('no answer in time');
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

  it('ends with the signal of the caller, who waits without limit', async () => {
    proxy.down();
    const locks = await open();
    const { took, error } = await timed(() => locks.acquire('k', { wait: Infinity, signal: AbortSignal.timeout(200) }));
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(took).toBeLessThan(600);
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

describe('closing while Redis is down', () => {
  it('leaves no timer behind that would keep the process up', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    proxy.down();
    const client = await openLocks({ connection: proxy.url });
    await expect(client.locks.withLock('k', { wait: 200 }, () => 'entered')).rejects.toThrow();
    await client.close();
    await waitUntil(() => timers() <= before, 'no timer of the closed application', 1000);
  });
});

describe('what an outage writes into the log [BC-33]', () => {
  it('is one warning per connection, however long it lasts, and one line at its end', async () => {
    const logger = new RecordingLogger();
    const holder = await openLocks({ connection: redis.url });
    await holder.locks.acquire('k', { ttl: 60_000 });
    const locks = await open({ logger });
    await openChannel(new LockState(redis, 'k'), (signal) => locks.acquire('k', { signal }));
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

  it('is nothing beside that, and the process ends by itself', async () => {
    proxy.down();
    const script = `
      import 'reflect-metadata';
      import { NestFactory } from '@nestjs/core';
      import { LockService, RedisLockModule } from 'nestjs-redis-lock';
      const module = RedisLockModule.forRoot({ connection: '${proxy.url}', logger: false });
      const app = await NestFactory.createApplicationContext(module, { logger: false });
      await app.get(LockService).acquire('k', { wait: 500 }).catch(({ code }) => console.log(code));
      await app.close();`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    expect(await run).toEqual({ stdout: 'LOCK_UNAVAILABLE\n', stderr: '' });
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
