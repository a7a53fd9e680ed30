import { beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { CommandBus, CqrsModule, EventBus, QueryBus } from '@nestjs/cqrs';
import { RedisLockModule } from 'nestjs-redis-lock';
import { startApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';
import { Calls } from '../../src/companions/calls.js';
import { GetOrder, orderHandlers, OrderPaid, PayOrder } from '../../src/companions/cqrs/order.handlers.js';
import { CROWD, variants } from '../../src/companions/variants.js';

const redis = useRedis();

// The two sides differ only where another decorator stands on the method.
const cases = variants('order:<0.id>').filter(({ name }) => name !== '@WithLock below');

describe.each(cases)('Handlers of commands, queries and events ($name)', (variant) => {
  const under = variant.scripts > 0 ? 'order:a' : undefined;
  let app: INestApplication;
  let calls: Calls;

  beforeEach(async () => {
    app = await startApp({
      imports: [CqrsModule.forRoot(), RedisLockModule.forRoot({ connection: redis.url, logger: false })],
      providers: [Calls, ...orderHandlers(variant)],
    });
    calls = app.get(Calls);
  });

  it('should get what is sent to them, under their lock, and answer [BC-69]', async () => {
    const command = new PayOrder('a', 5);
    const query = new GetOrder('a');
    expect(await app.get(CommandBus).execute(command)).toBe('a paid 5');
    expect(await app.get(QueryBus).execute(query)).toBe('order a');
    expect(calls.seen).toEqual([
      { args: [command], under },
      { args: [query], under },
    ]);
    expect(calls.seen.flatMap(({ args }) => args)).toEqual([expect.any(PayOrder), expect.any(GetOrder)]);
    expect(await redis.keys()).toEqual([]);
  });

  it('should get events', async () => {
    const event = new OrderPaid('a');
    await app.get(EventBus).publish(event);
    await waitUntil(() => calls.seen.length === 1 && calls.inside === 0, 'the handler');
    expect(calls.seen).toEqual([{ args: [event], under }]);
    await waitUntil(async () => (await redis.keys()).length === 0, 'the release');
  });

  it('should run up to the limit at once', async () => {
    calls.together = variant.limit;
    const all = Array.from({ length: CROWD }, (_, i) => app.get(CommandBus).execute(new PayOrder('a', i)));
    expect(await Promise.all(all)).toEqual(all.map((_, i) => `a paid ${i}`));
    expect(calls).toMatchObject({ most: variant.limit, inside: 0 });
    expect(await redis.keys()).toEqual([]);
  });
});
