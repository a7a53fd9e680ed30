import { describe, expect, it } from '@jest/globals';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import type { INestApplication, INestMicroservice, ModuleMetadata } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { ClientProxyFactory, Transport, type MicroserviceOptions } from '@nestjs/microservices';
import { WsAdapter } from '@nestjs/platform-ws';
import { Test } from '@nestjs/testing';
import { RedisLockModule } from 'nestjs-redis-lock';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lastValueFrom } from 'rxjs';
import request from 'supertest';
import { WebSocket } from 'ws';
import { closeAfterTest } from '../helpers/close-after-test.js';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { Overlap } from '../src/controllers/overlap.js';
import { OrdersGateway } from '../src/handlers/orders.gateway.js';
import { OrdersController } from '../src/handlers/orders.messages.js';
import { OrdersResolver } from '../src/handlers/orders.resolver.js';

const redis = useRedis();
const locks = () => RedisLockModule.forRoot({ connection: redis.url, defaults: { wait: '60s' } });
const TCP: MicroserviceOptions = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } };

const CALLS = 6;
const ANSWERS = Array<string>(CALLS).fill('order:7');

const compile = (metadata: ModuleMetadata) =>
  Test.createTestingModule({ ...metadata, imports: [locks(), ...(metadata.imports ?? [])] }).compile();
const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function expectOneAtATime(app: INestApplication | INestMicroservice, calls = CALLS): Promise<void> {
  expect(app.get(Overlap)).toMatchObject({ entered: calls, most: 1 });
  expect(await redis.keys()).toEqual([]);
}

describe('Locked resolvers', () => {
  const start = () =>
    startApp({
      imports: [locks(), GraphQLModule.forRoot<ApolloDriverConfig>({ driver: ApolloDriver, autoSchemaFile: true })],
      providers: [Overlap, OrdersResolver],
    });
  const ask = async (app: INestApplication, query: string) => {
    const { body } = await request(app.getHttpServer()).post('/graphql').send({ query }).expect(200);
    return (body as { data: Record<string, string> }).data;
  };

  it('should never overlap: queries and mutations of several requests, with the lock on either side', async () => {
    const app = await start();
    const queries = ['query { a: lockBelow(id: "7") b: lockBelow(id: "7") }', 'mutation { c: lockAbove(id: "7") }'];
    const data = await Promise.all([...queries, ...queries].map((query) => ask(app, query)));
    expect(data.flatMap((fields) => Object.values(fields))).toEqual(ANSWERS);
    await expectOneAtATime(app);
  });

  it('should never overlap: fields of the objects of one list', async () => {
    const app = await start();
    expect(await ask(app, '{ orders { total } }')).toEqual({ orders: Array(5).fill({ total: 'order:7' }) });
    await expectOneAtATime(app, 5);
  });
});

describe('Locked handlers of a gateway', () => {
  it.each(['below', 'above', 'stream'])('should never overlap over several sockets: %s', async (event) => {
    const app = closeAfterTest((await compile({ providers: [Overlap, OrdersGateway] })).createNestApplication());
    app.useWebSocketAdapter(new WsAdapter(app));
    await app.listen(0, '127.0.0.1');
    const port = portOf(app.getHttpServer() as Server);
    const answers = Array.from({ length: CALLS }, async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/orders`);
      await once(socket, 'open');
      socket.send(JSON.stringify({ event, data: '7' }));
      const [message] = (await once(socket, 'message')) as [Buffer];
      socket.terminate();
      return (JSON.parse(message.toString()) as { data: string }).data;
    });
    expect(await Promise.all(answers)).toEqual(ANSWERS);
    await expectOneAtATime(app);
  });
});

describe('Locked handlers of messages', () => {
  const metadata = { controllers: [OrdersController], providers: [Overlap] };

  async function send(service: INestMicroservice, pattern: string): Promise<string[]> {
    const { port } = service.unwrap<Server>().address() as AddressInfo;
    const client = ClientProxyFactory.create({ transport: Transport.TCP, options: { host: '127.0.0.1', port } });
    const answers = Array.from({ length: CALLS }, () => lastValueFrom(client.send<string>(pattern, '7')));
    return Promise.all(answers).finally(() => void client.close());
  }

  it.each(['below', 'above', 'stream'])('should never overlap in a microservice: %s [BC-70]', async (pattern) => {
    const service = closeAfterTest((await compile(metadata)).createNestMicroservice<MicroserviceOptions>(TCP));
    await service.listen();
    expect(await send(service, pattern)).toEqual(ANSWERS);
    await expectOneAtATime(service);
  });

  it('should never overlap in a hybrid application, over messages and requests [BC-70]', async () => {
    const app = closeAfterTest((await compile(metadata)).createNestApplication());
    const service = app.connectMicroservice<MicroserviceOptions>(TCP);
    await app.startAllMicroservices();
    await app.listen(0, '127.0.0.1');
    const requests = Array.from({ length: CALLS }, () => request(app.getHttpServer()).get('/orders').expect(200));
    const [messages, responses] = await Promise.all([send(service, 'below'), Promise.all(requests)]);
    expect(messages).toEqual(ANSWERS);
    expect(responses.map(({ text }) => text)).toEqual(ANSWERS);
    await expectOneAtATime(app, 2 * CALLS);
  });
});
