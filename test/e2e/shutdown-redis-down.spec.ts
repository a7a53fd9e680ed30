import { describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { LockService, RedisLockModule, type RedisLockModuleOptions } from 'nestjs-redis-lock';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { startApp, stopApp } from '../helpers/start-app.js';
import { timed } from '../helpers/timed.js';
import { useRedisProcess } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { watch } from '../helpers/watch.js';
import { Work } from '../src/shutdown/work.js';

const redis = useRedisProcess();
const proxy = useFaultProxy(redis);
const processEvents = useProcessEvents();

const start = (options: RedisLockModuleOptions = {}) =>
  startApp({
    imports: [RedisLockModule.forRoot({ connection: proxy.url, logger: false, ...options })],
    providers: [Work],
  });

const untilWorking = (app: INestApplication) => waitUntil(() => app.get(Work).running.length > 0, 'at work');

describe('An application that closes while Redis is down [BC-20]', () => {
  it.each([
    ['has not been there yet', false, () => proxy.down()],
    ['has gone', true, () => proxy.down()],
    ['takes commands and answers none', true, () => process.kill(redis.pid, 'SIGSTOP')],
  ])('should end within a second when nothing runs and Redis %s', async (_, before, goDown) => {
    if (!before) goDown();
    const app = await start();
    if (before) {
      await app.get(LockService).withLock('k', () => undefined);
      goDown();
    }
    try {
      expect((await timed(() => stopApp(app))).took).toBeLessThan(1_000);
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
  });

  it('should wait for the work that holds a lock, and keep its result', async () => {
    const logger = new RecordingLogger();
    const app = await start({ commandTimeout: 500, shutdownTimeout: '1m', logger });
    const work = app.get(LockService).withLock('k', { ttl: '1m' }, () => app.get(Work).run('done'));
    await untilWorking(app);
    proxy.down();
    const closing = timed(() => stopApp(app));
    const closed = watch(closing);
    await waitUntil(() => logger.warnings.length > 0, 'the outage is noticed');
    expect(closed()).toBe(false);
    app.get(Work).endAll();
    expect(await work).toBe('done');
    // What is not answered runs out by itself: it is waited for commandTimeout, not for shutdownTimeout.
    expect((await closing).took).toBeLessThan(20_000);
    expect(logger.warnings.at(-1)).toMatch(/release.*"k"/i);
    expect(processEvents.seen).toEqual([]);
  });

  it('should tell work whose lease has run out meanwhile, and still wait for its end', async () => {
    const app = await start({ shutdownTimeout: '1m' });
    let reason: unknown;
    const work = app.get(LockService).withLock('k', { ttl: 300 }, async ({ signal }) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
      });
      return app.get(Work).run('done');
    });
    const failed = expect(work).rejects.toMatchObject({ code: 'LOCK_LOST', result: 'done' });
    await untilWorking(app);
    proxy.down();
    const closing = timed(() => stopApp(app));
    const closed = watch(closing);
    await waitUntil(() => reason !== undefined, 'the loss');
    expect(closed()).toBe(false);
    app.get(Work).endAll();
    await failed;
    expect((await closing).took).toBeLessThan(20_000);
  });

  it('should end after shutdownTimeout when the work does not', async () => {
    const app = await start({ shutdownTimeout: 300 });
    let reason: unknown;
    const work = app.get(LockService).withLock('k', { ttl: '1m' }, async ({ signal }) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
      });
      return app.get(Work).run('done');
    });
    const failed = expect(work).rejects.toMatchObject({ code: 'LOCK_LOST' });
    await untilWorking(app);
    proxy.down();
    const { took } = await timed(() => stopApp(app));
    expect(took).toBeGreaterThan(295);
    expect(took).toBeLessThan(20_000);
    expect(String(reason)).toMatch(/shutdown/);
    app.get(Work).endAll();
    await failed;
    expect(processEvents.seen).toEqual([]);
  });
});
