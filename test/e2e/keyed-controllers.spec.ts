import { describe, expect, it } from '@jest/globals';
import type { Provider, Type } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { LockInterceptor, RedisLockModule } from 'nestjs-redis-lock';
import request from 'supertest';
import { HTTP_ADAPTERS } from '../helpers/http-adapters.js';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { Overlap } from '../src/controllers/overlap.js';
import {
  FunctionController,
  HeaderController,
  ParamsController,
  PlainController,
  UserController,
} from '../src/intercepted/keyed.controllers.js';

const redis = useRedis();

describe.each(HTTP_ADAPTERS)('LockInterceptor around all handlers (%s)', (_, createAdapter) => {
  async function start(controller: Type<unknown>, providers: Provider[] = []) {
    const imports = [RedisLockModule.forRoot({ connection: redis.url })];
    const metadata = { imports, controllers: [controller], providers: [Overlap, ...providers] };
    const app = await startApp(metadata, undefined, { adapter: createAdapter() });
    const http = request(app.getHttpServer());
    const ask = (path: string) => (path.endsWith('read') ? http.get(path) : http.post(path)).set('X-Tenant', 'acme');
    return { ask, http, overlap: app.get(Overlap) };
  }

  const everywhere = { provide: APP_INTERCEPTOR, useClass: LockInterceptor.with('everywhere:<0.params.id>') };

  it.each<[string, Type<unknown>, string, Provider[]]>([
    ['params', ParamsController, 'order:7', []],
    ['header', HeaderController, 'tenant:acme', []],
    ['user', UserController, 'tenant:acme', []],
    ['function', FunctionController, 'acme:7', []],
    ['everywhere', PlainController, 'everywhere:7', [everywhere]],
  ])('should let them in one by one, with a key from the request (%s)', async (path, controller, key, providers) => {
    const { ask, overlap } = await start(controller, providers);
    const paths = Array.from({ length: 8 }, (__, i) => `/${path}/7/${i % 2 ? 'read' : 'write'}`);
    const answers = await Promise.all(paths.map((each) => ask(each)));
    expect(answers.map(({ text }) => text)).toEqual(Array(8).fill(key));
    expect(overlap).toMatchObject({ entered: 8, most: 1 });
    expect(await redis.keys()).toEqual([]);
  });

  it('should refuse a request that lacks what the key is made from, and call nothing', async () => {
    const { http, overlap } = await start(HeaderController);
    const { body } = await http.get('/header/7/read').expect(500);
    expect(body).toMatchObject({ code: 'LOCK_KEY' });
    expect(overlap.entered).toBe(0);
  });
});
