import { describe, expect, it } from '@jest/globals';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import type { Provider } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { LockService, RedisLockModule } from 'nestjs-redis-lock';
import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { LockState } from '../helpers/lock-state.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { ALL_QUEUE } from '../helpers/ways.js';
import { Workshop } from '../src/disconnect/workshop.js';
import { Bookkeeper } from '../src/http-errors/locking.enhancers.js';
import { LockGraphQLFilter } from '../src/transports/lock-error.filters.js';
import { OrdersResolver } from '../src/transports/orders.resolver.js';

interface Answer {
  data: Record<string, string> | null;
  errors?: { message: string; extensions: Record<string, unknown> }[];
}

const FIELDS = ['mutation { pay(id: "7") }', 'query { order(id: "7") }'];

describe('Locked resolvers', () => {
  const redis = useRedis();
  const events = useProcessEvents();

  async function start(providers: Provider[] = []) {
    const graphql = GraphQLModule.forRoot<ApolloDriverConfig>({ driver: ApolloDriver, autoSchemaFile: true });
    const locks = RedisLockModule.forRoot({ connection: redis.url, shutdownTimeout: 0, logger: false, ...ALL_QUEUE });
    const app = await startApp({
      imports: [locks, graphql],
      providers: [OrdersResolver, Bookkeeper, Workshop, ...providers],
    });
    const ask = async (query: string) =>
      (await request(app.getHttpServer()).post('/graphql').send({ query })).body as Answer;
    return { app, ask, locks: app.get(LockService) };
  }

  it.each(FIELDS)('should run under a lock made from their arguments (%s)', async (query) => {
    const { ask } = await start();
    expect(Object.values((await ask(query)).data ?? {})).toEqual(['7 under secret:7']);
    expect(await redis.keys()).toEqual([]);
  });

  it.each(FIELDS)('should say that the lock is busy, without its key (%s) [BC-73]', async (query) => {
    const { ask, locks } = await start();
    await locks.acquire('secret:7');
    const answer = await ask(query);
    expect(answer.errors).toEqual([
      expect.objectContaining({
        message: 'The resource is locked. Try again later.',
        extensions: expect.objectContaining({
          status: 423,
          originalError: expect.objectContaining({ statusCode: 423, code: 'LOCK_BUSY' }),
        }),
      }),
    ]);
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it.each([...FIELDS, 'query { guarded(id: "7") }'])(
    'should leave the answer to a filter of the application (%s)',
    async (query) => {
      const { ask, locks } = await start([{ provide: APP_FILTER, useClass: LockGraphQLFilter }]);
      await locks.acquire('secret:7');
      await locks.acquire('secret:account');
      const answer = await ask(query);
      expect(answer.errors).toEqual([
        expect.objectContaining({
          message: 'The resource is locked. Try again later.',
          extensions: expect.objectContaining({ code: 'LOCK_BUSY' }),
        }),
      ]);
      expect(JSON.stringify(answer)).not.toContain('secret');
    },
  );

  it('should leave the queue with their client, all fields of a query', async () => {
    const { app, locks } = await start();
    await locks.acquire('secret:7');
    const query = `query { ${Array.from({ length: 12 }, (_, i) => `f${i}: patient(id: "7")`).join(' ')} }`;
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const client = httpRequest({
      port,
      host: '127.0.0.1',
      path: '/graphql',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    client.on('error', () => undefined).end(JSON.stringify({ query }));
    const order = new LockState(redis, 'secret:7');
    await order.untilWaiting(12);
    client.destroy();
    await order.untilWaiting(0);
    expect(app.get(Workshop).entered).toBe(0);
    expect(events.seen).toEqual([]);
  });
});
