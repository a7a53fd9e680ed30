import { afterEach, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { ClientProxyFactory, Transport, type ClientProxy, type MicroserviceOptions } from '@nestjs/microservices';
import { LockService, RedisLockModule } from 'nestjs-redis-lock';
import type { AddressInfo, Server } from 'node:net';
import { lastValueFrom } from 'rxjs';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { FilteredHandler, OrdersHandler } from '../src/transports/orders.handler.js';

describe('Locked message handlers, over TCP', () => {
  const redis = useRedis();
  let client: ClientProxy | undefined;
  afterEach(() => void client?.close());

  async function start(handler: Type<OrdersHandler> = OrdersHandler) {
    const app = await startApp(
      {
        imports: [RedisLockModule.forRoot({ connection: redis.url, shutdownTimeout: 0, logger: false })],
        controllers: [handler],
      },
      undefined,
      {
        configure: async (hybrid) => {
          const options = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } } as const;
          hybrid.connectMicroservice<MicroserviceOptions>(options);
          await hybrid.startAllMicroservices();
        },
      },
    );
    const [microservice] = app.getMicroservices();
    const { port } = microservice?.unwrap<Server>().address() as AddressInfo;
    const proxy = ClientProxyFactory.create({ transport: Transport.TCP, options: { host: '127.0.0.1', port } });
    client = proxy;
    /** What the client gets: a result, or an error. */
    const send = (pattern: string) =>
      lastValueFrom(proxy.send<unknown>(pattern, '7')).catch((error: unknown) => ({ error }));
    return { send, locks: app.get(LockService) };
  }

  const handlers = [
    ['pay', 'secret:7'],
    ['order', 'secret:7'],
    ['described', 'secret:described:7'],
  ] as const;

  it.each(handlers)('should run under a lock made from their data and context (%s)', async (pattern, key) => {
    const { send } = await start();
    expect(await send(pattern)).toBe(`7 under ${key}`);
    expect(await redis.keys()).toEqual([]);
  });

  it.each(handlers)(
    'should tell a client only that they failed when the lock is busy (%s) [BC-73]',
    async (pattern, key) => {
      const { send, locks } = await start();
      await locks.acquire(key);
      expect(await send(pattern)).toEqual({ error: { status: 'error', message: 'Internal server error' } });
    },
  );

  it.each(handlers)('should tell a client what a filter for LockError makes of it (%s)', async (pattern, key) => {
    const { send, locks } = await start(FilteredHandler);
    await locks.acquire(key);
    const message = 'The resource is locked. Try again later.';
    expect(await send(pattern)).toEqual({ error: { statusCode: 423, code: 'LOCK_BUSY', message } });
  });
});
