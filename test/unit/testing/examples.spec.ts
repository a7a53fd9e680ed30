import 'reflect-metadata';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { LockService } from 'nestjs-redis-lock';
import {
  bindLockService,
  EmbeddedRedis,
  passThroughLockService,
  RedisLockTestingModule,
} from 'nestjs-redis-lock/testing';
import { AppModule, locks } from '../../src/testing/app.module.js';
import { Bank, OrderService } from '../../src/testing/order.service.js';

/** What docs/testing.md shows. */
describe('examples of tests', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('lock as in production, without Redis', async () => {
    const moduleRef = await Test.createTestingModule({
      imports: [RedisLockTestingModule.forRoot()],
      providers: [OrderService, Bank],
    }).compile();
    await moduleRef.init();

    const orders = moduleRef.get(OrderService);
    await Promise.all([orders.pay('42'), orders.pay('42')]);
    expect(moduleRef.get(Bank).charged).toEqual(['42']);

    await moduleRef.close();
  });

  it('take the place of the module of an application', async () => {
    const moduleRef = await Test.createTestingModule({ imports: [AppModule] })
      .overrideModule(locks)
      .useModule(RedisLockTestingModule.forRoot())
      .compile();
    await moduleRef.init();
    const orders = moduleRef.get(OrderService);
    await Promise.all([orders.pay('42'), orders.pay('42')]);
    expect(moduleRef.get(Bank).charged).toEqual(['42']);
    await moduleRef.close();
  });

  it('move the clock', async () => {
    const moduleRef = await Test.createTestingModule({ imports: [RedisLockTestingModule.forRoot()] }).compile();
    await moduleRef.init();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });

    const locks = moduleRef.get(LockService);
    const lease = await locks.acquire('k', { ttl: '10s', renew: false });
    await jest.advanceTimersByTimeAsync(10_001);
    expect(lease.held).toBe(false);
    expect(lease.signal.aborted).toBe(true);
    await locks.withLock('k', { wait: 0 }, () => undefined);

    jest.useRealTimers();
    await moduleRef.close();
  });

  it('play several processes', async () => {
    const redis = await EmbeddedRedis.start();
    const start = async () => {
      const imports = [RedisLockTestingModule.forRoot({ redis })];
      return (await Test.createTestingModule({ imports }).compile()).init();
    };
    const [one, other] = await Promise.all([start(), start()]);

    const lease = await one.get(LockService).acquire('k');
    expect(await other.get(LockService).tryAcquire('k')).toBeNull();
    redis.flush();
    await other.get(LockService).withLock('k', { wait: 0 }, () => undefined);
    expect(await lease.release()).toBe(false);

    await Promise.all([one.close(), other.close()]);
    await redis.stop();
  });

  it('have nothing to do with locks', async () => {
    const bank = new Bank();
    const orders = bindLockService(new OrderService(bank), passThroughLockService());
    await orders.pay('42');
    expect(bank.charged).toEqual(['42']);
  });

  it('have nothing to do with locks, in an application', async () => {
    const moduleRef = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(LockService)
      .useValue(passThroughLockService())
      .compile();
    await moduleRef.init();
    await moduleRef.get(OrderService).pay('42');
    expect(moduleRef.get(Bank).charged).toEqual(['42']);
    await moduleRef.close();
  });
});
