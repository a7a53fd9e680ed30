import { afterEach, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { LockService, RedisLockModule } from 'nestjs-redis-lock';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { WebSocket } from 'ws';
import { HTTP_ADAPTERS } from '../helpers/http-adapters.js';
import { LockState } from '../helpers/lock-state.js';
import { NEST_MAJOR } from '../helpers/nest-major.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { ALL_QUEUE } from '../helpers/ways.js';
import { Workshop } from '../src/disconnect/workshop.js';
import { FilteredGateway, OrdersGateway } from '../src/transports/orders.gateway.js';

const redis = useRedis();
const events = useProcessEvents();

describe.each(HTTP_ADAPTERS)('Locked handlers of a gateway (ws on %s)', (_, createAdapter) => {
  const clients: WebSocket[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.terminate();
  });

  async function start(gateway: Type<OrdersGateway> = OrdersGateway) {
    const logger = new RecordingLogger();
    const app = await startApp(
      {
        imports: [RedisLockModule.forRoot({ connection: redis.url, shutdownTimeout: 0, logger: false, ...ALL_QUEUE })],
        providers: [gateway, Workshop],
      },
      undefined,
      { adapter: createAdapter(), logger, configure: (app) => app.useWebSocketAdapter(new WsAdapter(app)) },
    );
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const client = new WebSocket(`ws://127.0.0.1:${port}`);
    clients.push(client);
    await once(client, 'open');
    const tell = (event: string): void => client.send(JSON.stringify({ event, data: { id: '7' } }));
    const ask = async (event: string) => {
      const answered = once(client, 'message') as Promise<[Buffer]>;
      tell(event);
      return JSON.parse((await answered)[0].toString()) as unknown;
    };
    const failures = () => logger.lines.filter(({ level }) => level === 'error' || level === 'warn');
    return { ask, tell, client, failures, workshop: app.get(Workshop), locks: app.get(LockService) };
  }

  it('should run under a lock made from their data', async () => {
    const { ask } = await start();
    expect(await ask('pay')).toEqual({ event: 'paid', data: '7 under secret:7' });
    expect(await ask('order')).toEqual({ event: 'ordered', data: '7 under secret:7' });
    expect(await redis.keys()).toEqual([]);
  });

  // The ws adapter of Nest 11 tells clients of no error.
  if (NEST_MAJOR >= 12) {
    it.each(['pay', 'order'])(
      'should tell a client only that they failed when the lock is busy (%s) [BC-73]',
      async (event) => {
        const { ask, locks } = await start();
        await locks.acquire('secret:7');
        expect(await ask(event)).toEqual({
          event: 'exception',
          data: { status: 'error', message: 'Internal server error', cause: { pattern: event, data: { id: '7' } } },
        });
      },
    );

    it.each(['pay', 'order'])('should tell a client what a filter for LockError makes of it (%s)', async (event) => {
      const { ask, locks } = await start(FilteredGateway);
      await locks.acquire('secret:7');
      expect(await ask(event)).toEqual({
        event: 'exception',
        data: { statusCode: 423, code: 'LOCK_BUSY', message: 'The resource is locked. Try again later.' },
      });
    });
  }

  it('should keep the lock to their end when the client leaves before', async () => {
    const { tell, client, locks, workshop } = await start();
    tell('slow');
    await waitUntil(() => workshop.entered === 1, 'the handler');
    client.terminate();
    await waitUntil(() => client.readyState === WebSocket.CLOSED, 'the end of the connection');
    for (let i = 0; i < 10; i++) expect(await locks.tryAcquire('secret:7')).toBeNull();
    workshop.end();
    await waitUntil(async () => (await redis.keys()).length === 0, 'the release');
    expect([workshop.finished, events.seen]).toEqual([1, []]);
  });

  it('should leave the queue with their client, all its messages', async () => {
    const { tell, client, locks, workshop, failures } = await start();
    const order = new LockState(redis, 'secret:7');
    const lease = await locks.acquire('secret:7');
    for (let i = 0; i < 12; i++) tell('patient');
    await order.untilWaiting(12);
    client.terminate();
    await order.untilWaiting(0);
    await lease.release();
    expect(await redis.keys()).toEqual([]);
    expect([workshop.entered, failures(), events.seen]).toEqual([0, [], []]);
  });
});
