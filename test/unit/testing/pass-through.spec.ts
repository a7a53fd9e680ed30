import 'reflect-metadata';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { LockKeyError, LockOptionsError, LockService, RedisLockModule } from 'nestjs-redis-lock';
import { bindLockService, passThroughLockService } from 'nestjs-redis-lock/testing';
import { CounterService } from '../../src/testing/counter.service.js';

describe('passThroughLockService', () => {
  afterEach(() => {
    jest.useRealTimers();
    process.env['NODE_ENV'] = 'test';
  });

  it('should let everybody into a section at once, with fences that rise', async () => {
    const counter = bindLockService(new CounterService(), passThroughLockService());
    expect(await Promise.all([counter.count(), counter.count(), counter.count()])).toEqual([1, 2, 3]);
    expect(counter.most).toBe(3);
  });

  it('should give leases that are held until they are released, and never lost', async () => {
    const locks = passThroughLockService();
    const lease = await locks.acquire(['a', 'b'], { ttl: '1s' });
    const other = await locks.tryAcquire('a');
    expect(lease).toMatchObject({ keys: ['a', 'b'], held: true });
    expect(other?.held).toBe(true);
    await lease.extend('5s');
    lease.assertHeld();
    expect(await lease.release()).toBe(true);
    expect(lease.held).toBe(false);
    expect([lease.signal.aborted, other?.signal.aborted]).toEqual([false, false]);
  });

  it('should need no clock: all timers may stand still', async () => {
    jest.useFakeTimers();
    const locks = passThroughLockService();
    const nested = () => locks.withSemaphore('permits', 1, (lease) => lease.fence);
    expect(await locks.withLock('a', () => locks.withLock('a', nested))).toBe(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('should stand in for the service of an application, which then needs no Redis', async () => {
    const moduleRef = await Test.createTestingModule({
      imports: [RedisLockModule.forRoot({ connection: 'redis://127.0.0.1:1', logger: false })],
      providers: [CounterService],
    })
      .overrideProvider(LockService)
      .useValue(passThroughLockService())
      .compile();
    const app = await moduleRef.createNestApplication().init();
    expect(await app.get(CounterService).count()).toBe(1);
    expect(await app.get(LockService).withLock('k', (lease) => lease.fence)).toBe(2);
    await app.close();
  });

  it('should give back in the background as well', async () => {
    const locks = passThroughLockService();
    const inside = await locks.withLock(['a', 'b'], { releaseMode: 'background' }, (lease) => lease);
    expect(inside.held).toBe(false);
  });

  it('should check names and options as always', async () => {
    const locks = passThroughLockService();
    await expect(locks.withLock('', () => 1)).rejects.toThrow(LockKeyError);
    await expect(locks.acquire('a', { ttl: '1' })).rejects.toThrow(LockOptionsError);
    expect(await locks.inspect('a')).toEqual({
      key: 'a',
      kind: 'lock',
      redisKey: 'lock:a',
      held: false,
      holders: [],
      waiters: [],
    });
  });

  it('should refuse to work in production unless it is allowed to', () => {
    process.env['NODE_ENV'] = 'production';
    expect(() => passThroughLockService()).toThrow(/excludes nobody.*allowInProduction/);
    expect(passThroughLockService({ allowInProduction: true })).toBeInstanceOf(LockService);
  });
});
