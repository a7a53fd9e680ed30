import { describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { LockService, RedisLockModule } from 'nestjs-redis-lock';
import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import request from 'supertest';
import { HTTP_ADAPTERS } from '../helpers/http-adapters.js';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { WAYS } from '../helpers/ways.js';
import { LateGuard } from '../src/disconnect/late.guard.js';
import { OrdersController } from '../src/disconnect/orders.controller.js';
import { Workshop } from '../src/disconnect/workshop.js';

const redis = useRedis();
const events = useProcessEvents();

/** A client that can go away at any moment, and can ask more than once on one connection. */
async function dial(
  app: INestApplication,
): Promise<{ socket: Socket; ask: (path: string) => void; text: () => string }> {
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (chunk: string) => (text += chunk));
  await new Promise((resolve) => socket.once('connect', resolve));
  const ask = (path: string): void => void socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`);
  return { socket, ask, text: () => text };
}

describe.each(HTTP_ADAPTERS)('A client that goes away while it waits for a lock (%s)', (_, createAdapter) => {
  const order = () => new LockState(redis, 'order:7');

  async function start(fair = true) {
    const logger = new RecordingLogger();
    const app = await startApp(
      {
        imports: [RedisLockModule.forRoot({ connection: redis.url, defaults: { fair } })],
        controllers: [OrdersController],
        providers: [Workshop, LateGuard],
      },
      undefined,
      { adapter: createAdapter(), logger },
    );
    const workshop = app.get(Workshop);
    const untilWorking = (count: number) => waitUntil(() => workshop.entered === count, `${count} at work`);
    const failures = () => logger.lines.filter(({ level }) => level === 'error' || level === 'warn');
    return { app, workshop, untilWorking, failures, http: request(app.getHttpServer()), locks: app.get(LockService) };
  }

  it('should give up its place, and the handler is not called for it', async () => {
    const { app, http, workshop, untilWorking, failures, locks } = await start();
    const holder = http.get('/orders/7').then(({ text }) => text);
    await untilWorking(1);
    const leaver = await dial(app);
    leaver.ask('/orders/7');
    await order().untilWaiting(1);
    const third = http.get('/orders/7').then(({ text }) => text);
    await order().untilWaiting(2);
    leaver.socket.destroy();
    await order().untilWaiting(1);
    const { holders } = await locks.inspect('order:7');
    expect(holders).toEqual([expect.objectContaining({ label: 'OrdersController.order' })]);
    expect(workshop.finished).toBe(0);
    workshop.end();
    expect(await holder).toBe('done');
    await untilWorking(2);
    workshop.end();
    expect(await third).toBe('done');
    expect(workshop).toMatchObject({ entered: 2, finished: 2 });
    expect(await redis.keys()).toEqual([]);
    expect([failures(), events.seen]).toEqual([[], []]);
  });

  it('should not even queue when it left before its wait began', async () => {
    const { app, http, workshop, untilWorking, failures } = await start();
    const leaver = await dial(app);
    leaver.ask('/late/7');
    await waitUntil(() => app.get(LateGuard).asked === 1, 'the guard');
    leaver.socket.destroy();
    await waitUntil(async () => (await connections(app)) === 0, 'the end of the connection');
    app.get(LateGuard).open();
    const next = http.get('/late/7').then(({ text }) => text);
    await untilWorking(1);
    expect(await order().waiters()).toBe(0);
    workshop.end();
    expect(await next).toBe('done');
    expect(workshop.entered).toBe(1);
    expect(await redis.keys()).toEqual([]);
    expect([failures(), events.seen]).toEqual([[], []]);
  });

  it.each(WAYS)('should take all that it asked on one connection with it, $way', async ({ fair }) => {
    const { app, workshop, failures } = await start(fair);
    const { locks } = await openLocks({ connection: redis.url });
    const lease = await locks.acquire('order:7');
    const leaver = await dial(app);
    for (let i = 0; i < 12; i++) leaver.ask('/orders/7');
    await order().untilWaiting(fair ? 12 : 1);
    leaver.socket.destroy();
    await order().untilWaiting(0);
    await lease.release();
    expect(await redis.keys()).toEqual([]);
    expect([workshop.entered, failures(), events.seen]).toEqual([0, [], []]);
  });

  it('should end the wait only, not the work under the lock', async () => {
    const { app, workshop, untilWorking } = await start();
    const leaver = await dial(app);
    leaver.ask('/orders/7');
    await untilWorking(1);
    leaver.socket.destroy();
    await waitUntil(async () => (await connections(app)) === 0, 'the end of the connection');
    expect(await redis.keys()).toEqual(['lock:order:7']);
    workshop.end();
    await waitUntil(async () => (await redis.keys()).length === 0, 'the release');
    expect(workshop.finished).toBe(1);
  });

  it('should keep its place without the option', async () => {
    const { app, locks, workshop, untilWorking } = await start();
    const lease = await locks.acquire('order:7');
    const leaver = await dial(app);
    leaver.ask('/stubborn/7');
    await order().untilWaiting(1);
    leaver.socket.destroy();
    await waitUntil(async () => (await connections(app)) === 0, 'the end of the connection');
    expect(await order().waiters()).toBe(1);
    await lease.release();
    await untilWorking(1);
    workshop.end();
  });

  it('should leave no listener behind on a connection that is used again and again', async () => {
    const { app, locks, workshop, untilWorking } = await start();
    const client = await dial(app);
    for (let count = 1; count <= 15; count++) {
      const lease = await locks.acquire('order:7');
      client.ask('/orders/7');
      await order().untilWaiting(1);
      await lease.release();
      await untilWorking(count);
      workshop.end();
      await waitUntil(() => client.text().split('done').length === count + 1, `answer ${count}`);
    }
    client.socket.destroy();
    expect(events.seen).toEqual([]);
  });
});

function connections(app: INestApplication): Promise<number> {
  const server = app.getHttpServer() as Server;
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
