import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { describe, expect, it } from '@jest/globals';
import type { Queue } from 'bullmq';
import { RedisLockModule } from 'nestjs-redis-lock';
import { startApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';
import { Accounts, type Payment } from '../../src/recipes/accounts.js';
import { PaymentsProcessor } from '../../src/recipes/payments.processor.js';

const redis = useRedis();

/** A process with a worker of its own; the accounts are the same for all. */
async function startWorker(accounts: Accounts): Promise<Queue<Payment>> {
  const app = await startApp({
    imports: [
      RedisLockModule.forRoot({ connection: redis.url }),
      BullModule.forRoot({ connection: { host: '127.0.0.1', port: redis.port } }),
      BullModule.registerQueue({ name: 'payments' }),
    ],
    providers: [PaymentsProcessor, { provide: Accounts, useValue: accounts }],
  });
  return app.get<Queue<Payment>>(getQueueToken('payments'));
}

describe('Jobs of a queue with several workers', () => {
  it('run one at a time for each entity, and side by side for different ones', async () => {
    const accounts = new Accounts();
    const [queue] = [await startWorker(accounts), await startWorker(accounts)];
    const names = ['a', 'b', 'c', 'd'];
    const jobs = Array.from({ length: 60 }, (_, i) => ({
      name: 'pay',
      data: { accountId: String(names[i % names.length]), amount: 1 },
    }));
    await queue.addBulk(jobs);
    await waitUntil(async () => (await queue.getCompletedCount()) === jobs.length, 'all jobs are done', 60_000);
    expect(Object.fromEntries(accounts.balances)).toEqual({ a: 15, b: 15, c: 15, d: 15 });
    expect(accounts.most).toBeGreaterThan(1);
    expect(accounts.most).toBeLessThanOrEqual(names.length);
    expect(await redis.client.keys('lock:*')).toEqual([]);
  });
});
