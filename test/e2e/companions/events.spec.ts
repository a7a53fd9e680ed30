import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter2, EventEmitterModule } from '@nestjs/event-emitter';
import { RedisLockModule } from 'nestjs-redis-lock';
import { LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { startApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';
import { watch } from '../../helpers/watch.js';
import { Calls } from '../../src/companions/calls.js';
import { orderListener } from '../../src/companions/events/order.listener.js';
import { CROWD, variants } from '../../src/companions/variants.js';

const redis = useRedis();
const ORDER = { id: 'a' };

describe.each(variants('order:<0.id>'))('Listeners of events ($name)', (variant) => {
  const under = variant.scripts > 0 ? 'order:a' : undefined;
  let events: EventEmitter2;
  let calls: Calls;

  beforeEach(async () => {
    const app = await startApp({
      imports: [
        EventEmitterModule.forRoot({ wildcard: true }),
        RedisLockModule.forRoot({ connection: redis.url, logger: false }),
      ],
      providers: [Calls, orderListener(variant)],
    });
    events = app.get(EventEmitter2);
    calls = app.get(Calls);
  });

  it('should hear what is emitted, with all arguments, under their lock [BC-01, BC-69]', async () => {
    expect(events.emit('order.paid', ORDER, 'card')).toBe(true);
    await waitUntil(() => calls.seen.length === 1 && calls.inside === 0, 'the listener');
    expect(calls.seen).toEqual([{ args: [ORDER, 'card'], under }]);
    await waitUntil(async () => (await redis.keys()).length === 0, 'the release');
  });

  it('should hear every event that they are for', async () => {
    expect(await events.emitAsync('parcel.sent', ORDER)).toEqual(['sent']);
    expect(await events.emitAsync('letter.sent', ORDER)).toEqual(['sent']);
    expect(calls.seen).toEqual(Array(2).fill({ args: [ORDER], under }));
  });

  it('should be waited for by emitAsync, which gets their results and errors', async () => {
    expect(await events.emitAsync('order.paid', ORDER, 'cash')).toEqual(['a paid by cash']);
    expect(calls.inside).toBe(0);
    await expect(events.emitAsync('order.refused', ORDER)).rejects.toThrow('a is refused');
    expect(await redis.keys()).toEqual([]);
  });

  it('should run up to the limit at once', async () => {
    calls.together = variant.limit;
    const all = Array.from({ length: CROWD }, (_, i) => events.emitAsync('order.paid', ORDER, String(i)));
    expect(await Promise.all(all)).toEqual(all.map((_, i) => [`a paid by ${i}`]));
    expect(calls).toMatchObject({ most: variant.limit, inside: 0 });
    expect(await redis.keys()).toEqual([]);
  });
});

describe('emitAsync', () => {
  it.each(variants('order:<0.id>').filter(({ limit }) => limit === 1))(
    'should wait for a listener that waits for its lock ($name)',
    async (variant) => {
      const app = await startApp({
        imports: [
          RedisLockModule.forRoot({ connection: redis.url, logger: false, defaults: { wait: '1m' } }),
          EventEmitterModule.forRoot(),
        ],
        providers: [Calls, orderListener(variant)],
      });
      const { locks } = await openLocks({ connection: redis.url });
      const lease = await locks.acquire('order:a', { ttl: '1m' });
      const emitted = app.get(EventEmitter2).emitAsync('order.paid', ORDER, 'card');
      const settled = watch(emitted);
      await new LockState(redis, 'order:a').untilWaiting(1);
      expect([settled(), app.get(Calls).seen]).toEqual([false, []]);
      await lease.release();
      expect(await emitted).toEqual(['a paid by card']);
    },
  );
});
