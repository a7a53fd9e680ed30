import 'reflect-metadata';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, Module, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { getLockServiceToken, LockOptionsError, LockService, RedisLockModule, type LockTask } from 'nestjs-redis-lock';
import { EmbeddedRedis, RedisLockTestingModule, type RedisLockTestingOptions } from 'nestjs-redis-lock/testing';
import request from 'supertest';
import { CounterService } from '../../src/testing/counter.service.js';
import { RecordingLogger } from '../../helpers/recording-logger.js';

@Controller()
class CounterController {
  constructor(private readonly counter: CounterService) {}

  @Get()
  async count(): Promise<string> {
    await this.counter.count();
    return 'counted';
  }
}

@Module({ providers: [CounterService], controllers: [CounterController] })
class CounterModule {}

const open: INestApplicationContext[] = [];

/** Tests leave locks held, for which nobody shall wait at the end. */
const BRIEF: RedisLockTestingOptions = { shutdownTimeout: 0 };

async function startApp(options?: RedisLockTestingOptions) {
  const testing = Test.createTestingModule({
    imports: [RedisLockTestingModule.forRoot({ ...BRIEF, ...options }), CounterModule],
  });
  const app = await (await testing.compile()).createNestApplication({ logger: false }).init();
  open.push(app);
  return app;
}

afterEach(async () => {
  jest.useRealTimers();
  process.env['NODE_ENV'] = 'test';
  await Promise.all(open.splice(0).map((app) => app.close()));
});

const holdUntil =
  (released: Promise<void>): LockTask<void> =>
  async () =>
    released;

describe('RedisLockTestingModule', () => {
  it('should lock as with Redis, through decorators and the service, over HTTP', async () => {
    const app = await startApp();
    const answers = await Promise.all(Array.from({ length: 5 }, () => request(app.getHttpServer()).get('/')));
    expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 5 }, () => 'counted'));
    expect(app.get(CounterService).most).toBe(1);
    const locks = app.get(LockService);
    const lease = await locks.acquire('k');
    expect(await locks.tryAcquire('k')).toBeNull();
    expect((await locks.inspect('k')).holders[0]?.token).toBe(lease.token);
  });

  it('should take the options of the module, and wrong ones at once', async () => {
    const app = await startApp({ namespace: 'n', defaults: { wait: 0 } });
    const client = new Redis(app.get(EmbeddedRedis).connection);
    await app.get(LockService).withLock('k', async () => expect(await client.keys('*')).toEqual(['n:lock:k']));
    client.disconnect();
    const wrong: [object, RegExp][] = [
      [{ connection: 'redis://localhost' }, /connection is that of the embedded server/],
      [{ redis: {} }, /redis must be what EmbeddedRedis\.start\(\) resolves to/],
      [{ nonsense: 1 }, /nonsense/],
      [{ defaults: { ttl: '1' } }, /ttl/],
      [{ name: '' }, /name must be text/],
    ];
    for (const [options, message] of wrong) {
      const call = () => RedisLockTestingModule.forRoot(options);
      expect(call).toThrow(LockOptionsError);
      expect(call).toThrow(message);
    }
  });

  it('should give every application a server of its own, and share one that is handed in', async () => {
    const [one, other] = [await startApp(), await startApp()];
    await one.get(LockService).acquire('k');
    expect(await other.get(LockService).tryAcquire('k')).not.toBeNull();

    const redis = await EmbeddedRedis.start();
    const [first, second] = [await startApp({ redis }), await startApp({ redis })];
    const lease = await first.get(LockService).acquire('k');
    const waiting = second.get(LockService).acquire('k');
    await lease.release();
    expect((await waiting).fence).toBeGreaterThan(lease.fence);
    await first.close();
    expect(await second.get(LockService).tryAcquire('other')).not.toBeNull();
    await redis.stop();
  });

  it('should give back what is held when the application ends, and then stop its server', async () => {
    const app = await startApp({ shutdownTimeout: '2s' });
    const redis = app.get(EmbeddedRedis);
    const client = new Redis({ ...redis.connection, retryStrategy: null });
    const closed = new Promise((resolve) => client.once('end', resolve));
    client.on('error', () => undefined);
    let finish = (): void => undefined;
    const released = new Promise<void>((resolve) => (finish = resolve));
    const work = app.get(LockService).withLock('k', holdUntil(released));
    await app.get(LockService).inspect('k');
    const closing = app.close();
    finish();
    await Promise.all([work, closing, closed]);
  });

  it('should stand in for the module of an application', async () => {
    const locks = RedisLockModule.forRoot({ connection: 'redis://127.0.0.1:1', logger: false });
    @Module({ imports: [locks, CounterModule] })
    class AppModule {}
    const testing = Test.createTestingModule({ imports: [AppModule] })
      .overrideModule(locks)
      .useModule(RedisLockTestingModule.forRoot());
    const app = await (await testing.compile()).createNestApplication().init();
    open.push(app);
    await app.get(CounterService).count();
    expect(app.get(CounterService).most).toBe(1);
  });

  it('should serve named modules', async () => {
    const testing = Test.createTestingModule({
      imports: [RedisLockTestingModule.forRoot(BRIEF), RedisLockTestingModule.forRoot({ ...BRIEF, name: 'audit' })],
    });
    const app = await (await testing.compile()).init();
    open.push(app);
    const audit = app.get<LockService>(getLockServiceToken('audit'));
    await audit.acquire('k');
    expect(await app.get(LockService).tryAcquire('k')).not.toBeNull();
    expect(await audit.tryAcquire('k')).toBeNull();
  });

  it('should refuse to work in production unless it is allowed to, and then say once what it does not do', async () => {
    process.env['NODE_ENV'] = 'production';
    expect(() => RedisLockTestingModule.forRoot()).toThrow(/within this one process only.*allowInProduction/);
    await expect(EmbeddedRedis.start()).rejects.toThrow(LockOptionsError);
    const logger = new RecordingLogger();
    const app = await startApp({ allowInProduction: true, logger });
    await app.get(CounterService).count();
    expect(logger.warnings.filter((line) => line.includes('within this one process only'))).toHaveLength(1);
  });
});

describe('RedisLockTestingModule under fake timers', () => {
  /** What ioredis needs to be left as it is. */
  const REAL = { doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] } as const;

  it('should let a lease that is not renewed lapse when the clock has passed its ttl', async () => {
    const app = await startApp();
    jest.useFakeTimers({ doNotFake: [...REAL.doNotFake] });
    const locks = app.get(LockService);
    const lease = await locks.acquire('k', { ttl: '10s', renew: false });
    await jest.advanceTimersByTimeAsync(9_000);
    expect([lease.held, await locks.tryAcquire('k')]).toEqual([true, null]);
    await jest.advanceTimersByTimeAsync(1_001);
    expect(lease.held).toBe(false);
    expect(lease.signal.aborted).toBe(true);
    expect(await locks.tryAcquire('k')).not.toBeNull();
  });

  it('should renew a lease for as long as its section runs, an hour in no time', async () => {
    const app = await startApp();
    jest.useFakeTimers({ doNotFake: [...REAL.doNotFake] });
    const locks = app.get(LockService);
    let held = false;
    const section = locks.withLock('k', { ttl: '10s' }, async (lease) => {
      await new Promise((resolve) => setTimeout(resolve, 3_600_000));
      held = lease.held;
    });
    await jest.advanceTimersByTimeAsync(1_800_000);
    expect(await locks.tryAcquire('k')).toBeNull();
    await jest.advanceTimersByTimeAsync(1_800_000);
    await section;
    expect(held).toBe(true);
    expect(await locks.tryAcquire('k')).not.toBeNull();
  });

  it('should hand over and time out by the fake clock', async () => {
    const app = await startApp();
    jest.useFakeTimers({ doNotFake: [...REAL.doNotFake] });
    const locks = app.get(LockService);
    const lease = await locks.acquire('k');
    const patient = locks.acquire('k', { wait: '1m' });
    const hasty = locks.acquire('k', { wait: '5s' });
    const refused = expect(hasty).rejects.toThrow(/busy|held/i);
    await jest.advanceTimersByTimeAsync(5_000);
    await refused;
    await lease.release();
    expect((await patient).held).toBe(true);
  });

  it('should work with every timer faked, for as long as the clock is moved', async () => {
    const app = await startApp();
    jest.useFakeTimers();
    const locks = app.get(LockService);
    const lease = await locks.acquire('k', { ttl: '10s' });
    const waiting = locks.acquire('k', { wait: '1m' });
    await jest.advanceTimersByTimeAsync(30_000);
    expect(lease.held).toBe(true);
    await lease.release();
    await jest.advanceTimersByTimeAsync(10);
    expect((await waiting).held).toBe(true);
  });
});
