import { beforeAll, describe, expect, it } from '@jest/globals';
import { RedisLockModule } from 'nestjs-redis-lock';
import { firstValueFrom, toArray } from 'rxjs';
import { loadScripts } from '../../helpers/script-requests.js';
import { CommandCount } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { startTcpService } from '../../helpers/start-tcp-service.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';
import { Calls } from '../../src/companions/calls.js';
import { orderMessagesController } from '../../src/companions/messages/order-messages.controller.js';
import { CROWD, variants } from '../../src/companions/variants.js';

const redis = useRedis();
const count = new CommandCount(redis);

beforeAll(() => loadScripts(redis));
const ORDER = { id: 'a', amount: 5 };

// One of them has no lock, so the name is what the key function gives.
const idOf = (id: string) => id;
const pure = variants(idOf).map((variant) => ({ ...variant, kind: 'a microservice', hybrid: false }));
const hybrid = variants(idOf).map((variant) => ({ ...variant, kind: 'a hybrid application', hybrid: true }));

describe.each([...pure, ...hybrid.slice(0, 3)])('Handlers of messages in $kind ($name)', (variant) => {
  const under = variant.scripts > 0 ? 'a' : undefined;

  const start = async (wait: string | number = '5s') => {
    const metadata = {
      imports: [RedisLockModule.forRoot({ connection: redis.url, logger: false, defaults: { wait } })],
      controllers: [orderMessagesController(variant)],
      providers: [Calls],
    };
    const { app, client } = await startTcpService(metadata, variant.hybrid);
    const send = <T>(pattern: string) => firstValueFrom(client.send<T[]>(pattern, ORDER).pipe(toArray()));
    return { calls: app.get(Calls), client, send };
  };

  it('should get what is sent and the context, and answer under their lock [BC-01, BC-69]', async () => {
    const { calls, send } = await start();
    expect(await send('pay')).toEqual(['a paid 5']);
    expect(calls.seen).toEqual([{ args: ['a', ORDER, 'pay'], under }]);
    expect(await redis.keys()).toEqual([]);
  });

  it('should get events', async () => {
    const { calls, client } = await start();
    await firstValueFrom(client.emit({ event: 'paid' }, ORDER), { defaultValue: undefined });
    await waitUntil(() => calls.seen.length === 1 && calls.inside === 0, 'the handler');
    expect(calls.seen).toEqual([{ args: ['a'], under }]);
    await waitUntil(async () => (await redis.keys()).length === 0, 'the release');
  });

  it('should answer with all values of an Observable under one lock', async () => {
    const { calls, send } = await start();
    await count.reset();
    expect(await send('parcels')).toEqual([1, 2, 3]);
    expect(calls.seen).toEqual(Array(3).fill({ args: ['a'], under }));
    await waitUntil(async () => (await redis.keys()).length === 0, 'the release');
    expect(await count.scripts()).toBe(variant.scripts);
  });

  it('should be denied by a guard, and then take no lock', async () => {
    const { calls, send } = await start();
    await count.reset();
    await expect(send('guarded')).rejects.toMatchObject({ message: 'Forbidden resource' });
    expect([await count.scripts(), calls.seen]).toEqual([0, []]);
  });

  it('should pass errors on, and give the lock back', async () => {
    const { calls, send } = await start();
    await expect(send('refuse')).rejects.toEqual({ status: 'error', message: 'a is refused' });
    expect(calls.seen).toEqual([{ args: ['a'], under }]);
    expect(await redis.keys()).toEqual([]);
  });

  it('should run up to the limit at once', async () => {
    const { calls, send } = await start();
    calls.together = variant.limit;
    const all = await Promise.all(Array.from({ length: CROWD }, () => send('pay')));
    expect(all).toEqual(Array(CROWD).fill(['a paid 5']));
    expect(calls).toMatchObject({ most: variant.limit, inside: 0 });
    expect(await redis.keys()).toEqual([]);
  });

  it('should tell the client nothing of a busy lock, unless a filter does', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    await locks.acquire('a');
    await locks.acquireSemaphore('a', 2);
    await locks.acquireSemaphore('a', 2);
    const { calls, send } = await start(0);
    const [plain, filtered] = await Promise.allSettled([send('pay'), send('filtered')]);
    const refused = (reason: unknown) => ({ status: 'rejected', reason });
    const answered = (value: unknown) => ({ status: 'fulfilled', value });
    const locked = variant.scripts > 0;
    expect(plain).toEqual(
      locked ? refused({ status: 'error', message: 'Internal server error' }) : answered(['a paid 5']),
    );
    expect(filtered).toEqual(locked ? refused({ code: 'LOCK_BUSY', again: true }) : answered(['let in']));
    expect(calls.seen).toHaveLength(locked ? 0 : 2);
  });
});
