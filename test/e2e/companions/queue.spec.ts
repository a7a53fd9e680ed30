import { beforeEach, describe, expect, it } from '@jest/globals';
import { BullModule, getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { RedisLockModule } from 'nestjs-redis-lock';
import { startApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';
import { Calls } from '../../src/companions/calls.js';
import { orderProcessor, QUEUE, type OrderJob } from '../../src/companions/queue/order.processor.js';
import { CROWD, variants } from '../../src/companions/variants.js';

const redis = useRedis();

describe.each(variants('order:<0.data.id>'))('Processors of a BullMQ queue ($name)', (variant) => {
  const under = variant.scripts > 0 ? 'order:a' : undefined;
  let queue: Queue<OrderJob, string>;
  let calls: Calls;

  beforeEach(async () => {
    const app = await startApp({
      imports: [
        BullModule.forRoot({ connection: { host: '127.0.0.1', port: redis.port } }),
        BullModule.registerQueue({ name: QUEUE }),
        RedisLockModule.forRoot({ connection: redis.url, logger: false }),
      ],
      providers: [Calls, orderProcessor(variant)],
    });
    queue = app.get(getQueueToken(QUEUE));
    calls = app.get(Calls);
  });

  const callsOf = (method: string) => calls.seen.filter(({ args }) => args[0] === method);
  const idle = async () => calls.inside === 0 && (await locksLeft()).length === 0;
  /** The queue and the locks share one Redis. */
  const locksLeft = async () => (await redis.keys()).filter((key) => !key.startsWith('bull:'));

  it('should get the job, and the events of the worker, under their lock [BC-01, BC-69]', async () => {
    const data = { id: 'a', amount: 5 };
    const job = await queue.add('pay', data);
    await waitUntil(() => callsOf('completed').length === 1, 'the event');
    await waitUntil(idle, 'the end of the work');
    expect(calls.seen).toEqual([
      { args: ['pay', data, 'string'], under },
      { args: ['completed', data, 'a paid 5'], under },
    ]);
    expect((await queue.getJob(String(job.id)))?.returnvalue).toBe('a paid 5');
  });

  it('should run up to the limit at once', async () => {
    calls.together = variant.limit;
    const data = (amount: number) => ({ name: 'pay', data: { id: 'a', amount } });
    await queue.addBulk(Array.from({ length: CROWD }, (_, i) => data(i)));
    await waitUntil(() => callsOf('completed').length === CROWD, 'all events');
    await waitUntil(idle, 'the end of the work');
    expect(new Set(callsOf('pay').map(({ args }) => (args[1] as OrderJob).amount))).toEqual(new Set([0, 1, 2, 3, 4]));
    // Without a lock, listeners run beside the processor.
    expect(Math.min(calls.most, CROWD)).toBe(variant.limit);
    expect(await queue.getFailedCount()).toBe(0);
  });
});
