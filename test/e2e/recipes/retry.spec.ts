import { describe, expect, it, jest } from '@jest/globals';
import { LockService, RedisLockModule } from 'nestjs-redis-lock';
import { LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { startApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { ALL_QUEUE } from '../../helpers/ways.js';
import { Bank } from '../../src/recipes/bank.js';
import { InvoiceService } from '../../src/recipes/invoice.service.js';

const redis = useRedis();

const start = () =>
  startApp({ imports: [RedisLockModule.forRoot({ connection: redis.url })], providers: [InvoiceService, Bank] });

describe('A retry around a lock', () => {
  it('takes the lock anew for every attempt, so that others get in between', async () => {
    const app = await start();
    const bank = app.get(Bank);
    bank.failures = 2;
    const { locks } = await openLocks({ connection: redis.url, ...ALL_QUEUE });
    const other = await locks.acquire('invoice:7');
    const settled = app.get(InvoiceService).settle('7');
    const state = new LockState(redis, 'invoice:7');
    await state.untilWaiting(1);
    const waiting = locks.acquire('invoice:7');
    await state.untilWaiting(2);
    await other.release();
    // Not after the last attempt: the lock is free while the first one is slept off.
    const between = await waiting;
    expect(bank.asked).toHaveLength(1);
    await between.release();
    expect(await settled).toBe('receipt of 7');
    const [first, second, third] = bank.asked as [number, number, number];
    expect(between.fence).toBeGreaterThan(first);
    expect(second).toBeGreaterThan(between.fence);
    expect(third).toBeGreaterThan(second);
    expect(await redis.keys()).toEqual([]);
  });

  it('does not pay again what was paid by an attempt before', async () => {
    const app = await start();
    const service = app.get(InvoiceService);
    expect([await service.settle('7'), await service.settle('7')]).toEqual(['receipt of 7', 'receipt of 7']);
    expect(app.get(Bank).asked).toHaveLength(1);
  });

  it('does not wait again for a lock that was busy for the whole of wait', async () => {
    const app = await start();
    const { locks } = await openLocks({ connection: redis.url });
    await locks.acquire('invoice:7', { ttl: '1m' });
    const withLock = jest.spyOn(app.get(LockService), 'withLock');
    await expect(app.get(InvoiceService).settle('7')).rejects.toMatchObject({ code: 'LOCK_BUSY' });
    expect(withLock).toHaveBeenCalledTimes(1);
    expect(app.get(Bank).asked).toEqual([]);
  });
});
