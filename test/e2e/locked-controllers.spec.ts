import { describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { currentLease, LockInterceptor, LockService, RedisLockModule } from 'nestjs-redis-lock';
import { get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { NEST_MAJOR } from '../helpers/nest-major.js';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { InterceptedController } from '../src/controllers/intercepted.controller.js';
import { LockedController } from '../src/controllers/locked.controller.js';
import { Overlap } from '../src/controllers/overlap.js';

const redis = useRedis();

/** Nest 11 knows no generators: it answers with the generator itself, `{}`. */
const ifGenerators = <T>(...cases: T[]): T[] => (NEST_MAJOR >= 12 ? cases : []);

const start = () =>
  startApp({
    imports: [RedisLockModule.forRoot({ connection: redis.url })],
    controllers: [LockedController, InterceptedController],
    providers: [Overlap],
  });

/** Ten requests at once. */
async function storm(app: INestApplication, path: string): Promise<string[]> {
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => request(app.getHttpServer()).get(path).buffer(true)),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
  return responses.map(({ text }) => text);
}

/** Reads server-sent events until the client goes away. */
async function listen(app: INestApplication, path: string): Promise<{ text: string; response: IncomingMessage }> {
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve) => get({ port, path, host: '127.0.0.1' }, resolve));
  const seen = { text: '', response };
  response.setEncoding('utf8').on('data', (chunk: string) => (seen.text += chunk));
  return seen;
}

describe('Locked handlers of a controller [BC-23]', () => {
  it.each<[name: string, path: string, text: string, limit: number]>([
    ['promise', 'promise/1', '1', 1],
    ['semaphore', 'permits', 'permit', 3],
    ['Observable', 'observable/1', '1', 1],
    ...ifGenerators<[string, string, string, number]>(['async generator', 'generator/1', '1!', 1]),
  ])('should not overlap beyond their limit (%s)', async (_, path, text, limit) => {
    const app = await start();
    expect(await storm(app, `/${path}`)).toEqual(Array(10).fill(text));
    expect(app.get(Overlap)).toMatchObject({ entered: 10, most: limit });
    expect(await redis.keys()).toEqual([]);
  });

  it('should work when the compiler does not know that they return an Observable', async () => {
    const app = await start();
    await request(app.getHttpServer()).get('/unknown/7').expect(200, '<7>');
    expect(await redis.keys()).toEqual([]);
  });
});

describe('LockInterceptor on a controller', () => {
  it.each<[path: string, text: string]>([
    ['promise', 'a under tenant:a'],
    ['observable', 'a'],
    ...ifGenerators<[string, string]>(['generator', 'under tenant:a!']),
  ])('should let requests with one key in one by one (%s)', async (path, text) => {
    const app = await start();
    expect(await storm(app, `/tenant/${path}?tenant=a`)).toEqual(Array(10).fill(text));
    expect(app.get(Overlap)).toMatchObject({ entered: 10, most: 1 });
    expect(await redis.keys()).toEqual([]);
  });

  it('should refuse a request without the part that makes the key, and not call the handler', async () => {
    const app = await start();
    await request(app.getHttpServer()).get('/tenant/promise').expect(500);
    expect(app.get(Overlap).entered).toBe(0);
  });

  it('should serve as APP_INTERCEPTOR', async () => {
    @Controller()
    class Plain {
      @Get()
      get(): string {
        return `under ${currentLease()?.key}`;
      }
    }
    const app = await startApp({
      imports: [RedisLockModule.forRoot({ connection: redis.url })],
      controllers: [Plain],
      providers: [{ provide: APP_INTERCEPTOR, useClass: LockInterceptor.with('path:<0.path>') }],
    });
    await request(app.getHttpServer()).get('/').expect(200, 'under path:/');
  });
});

describe.each(['/events', '/tenant/events?tenant=a'])('Server-sent events under a lock (%s)', (path) => {
  const key = path === '/events' ? 'events' : 'tenant:a';

  it('should hold it for as long as the client listens [BC-03]', async () => {
    const app = await start();
    const locks = app.get(LockService);
    const stream = await listen(app, path);
    await waitUntil(() => stream.text.includes('data: 3'), 'events');
    expect(await locks.tryAcquire(key)).toBeNull();
    stream.response.destroy();
    await waitUntil(async () => (await redis.keys()).length === 0, 'the release');
    expect(app.get(Overlap)).toMatchObject({ entered: 1, inside: 0 });
  });

  it('should end at the loss, and not name the key [BC-73]', async () => {
    const app = await start();
    const stream = await listen(app, path);
    await waitUntil(() => stream.text.includes('data: 1'), 'events');
    await app.get(LockService).forceRelease(key);
    await waitUntil(() => stream.response.complete, 'the end of the stream');
    expect(stream.text).toMatch(/event: error\nid: \d+\ndata: The lock was lost during the operation\.\n/);
    expect(stream.text).not.toContain(key);
    expect(app.get(Overlap)).toMatchObject({ inside: 0 });
  });
});
