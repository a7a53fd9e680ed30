import { describe, expect, it } from '@jest/globals';
import type { INestApplication, Provider } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, HttpAdapterHost } from '@nestjs/core';
import { LockInterceptor, LockService, RedisLockModule, type RedisLockModuleOptions } from 'nestjs-redis-lock';
import request from 'supertest';
import { HTTP_ADAPTERS } from '../helpers/http-adapters.js';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { Bookkeeper, LockingInterceptor } from '../src/http-errors/locking.enhancers.js';
import { BEFORE, INSIDE, PlacesModule } from '../src/http-errors/places.module.js';
import { BusyFilter, CatchAllFilter, HttpExceptionFilter, WatchingFilter } from '../src/http-errors/usual.filters.js';

const redis = useRedis();
const BUSY = { statusCode: 423, code: 'LOCK_BUSY', message: expect.any(String) };
const DOWN = { statusCode: 503, code: 'LOCK_UNAVAILABLE', message: expect.any(String) };

describe.each(HTTP_ADAPTERS)('A lock that cannot be had, over HTTP (%s)', (_, createAdapter) => {
  interface Setting {
    providers?: Provider[];
    options?: RedisLockModuleOptions;
    configure?: (app: INestApplication) => unknown;
  }

  async function start({ providers = [], options = {}, configure = () => undefined }: Setting = {}) {
    const locks = { connection: redis.url, shutdownTimeout: 0, logger: false as const, ...options };
    const app = await startApp({ imports: [RedisLockModule.forRoot(locks), PlacesModule], providers }, undefined, {
      adapter: createAdapter(),
      configure,
    });
    return { http: request(app.getHttpServer()), locks: app.get(LockService) };
  }

  /** With the key held by somebody. */
  async function startBusy(setting?: Setting) {
    const { http, locks } = await start(setting);
    await locks.acquire('secret:account', { ttl: '30s' });
    return async (place: string) => {
      const { status, body, headers } = (await http.get(`/${place}`)) as request.Response & { body: object };
      expect(JSON.stringify([body, headers])).not.toContain('secret');
      const { 'retry-after': retryAfter, 'x-seen': seen } = headers as Record<string, string | undefined>;
      return { status, body, seen, comeBack: Number(retryAfter) > 25 && Number(retryAfter) <= 30 };
    };
  }

  it.each([...INSIDE, ...BEFORE])('should be 423 when it is busy, without its key (%s) [BC-73]', async (place) => {
    const ask = await startBusy();
    expect(await ask(place)).toMatchObject({ status: 423, body: BUSY, comeBack: INSIDE.includes(place) });
  });

  it.each([...INSIDE, ...BEFORE])('should be 503 when Redis is down, without its key (%s)', async (place) => {
    const options = { connection: 'redis://127.0.0.1:1', commandTimeout: 50 };
    const { http } = await start({ options });
    const { body, headers } = await http.get(`/${place}`).expect(503);
    expect(body).toEqual(DOWN);
    expect(headers).not.toHaveProperty('retry-after');
    expect(JSON.stringify([body, headers])).not.toContain('secret');
  });

  it('should be told with Retry-After by interceptors on all handlers, too', async () => {
    const useClass = LockInterceptor.with('secret:account', { wait: 0 });
    const ask = await startBusy({ providers: [{ provide: APP_INTERCEPTOR, useClass }] });
    expect(await ask('service')).toMatchObject({ status: 423, body: BUSY, comeBack: true });
  });

  it('should be 423 in an interceptor of the application that is outside of ours', async () => {
    const ask = await startBusy({
      providers: [Bookkeeper, { provide: APP_INTERCEPTOR, useClass: LockingInterceptor }],
    });
    expect(await ask('service')).toMatchObject({ status: 423, body: BUSY });
  });

  const installs: [string, (filter: new (host: never) => object) => Setting][] = [
    ['APP_FILTER', (filter) => ({ providers: [{ provide: APP_FILTER, useClass: filter }] })],
    [
      'useGlobalFilters',
      (filter) => ({
        configure: (app) => app.useGlobalFilters(new filter(filterArgument(app, filter) as never) as never),
      }),
    ],
  ];

  describe.each(installs)('under a filter of the application (%s)', (_install, setting) => {
    it.each([
      ['that catches everything', CatchAllFilter, { by: 'catch-all', body: BUSY }, undefined],
      ['that catches everything and leaves it to Nest', WatchingFilter, BUSY, 'LockBusyError'],
      ['for HttpException', HttpExceptionFilter, { by: 'http', body: BUSY }, undefined],
    ])('should have the body of that filter, and Retry-After (%s)', async (_filter, filter, body, seen) => {
      const ask = await startBusy(setting(filter));
      for (const place of INSIDE) expect(await ask(place)).toEqual({ status: 423, body, seen, comeBack: true });
      for (const place of BEFORE) expect(await ask(place)).toEqual({ status: 423, body, seen, comeBack: false });
    });
  });

  it('should have Retry-After everywhere with a filter for LockBusyError that sets it', async () => {
    const ask = await startBusy({ providers: [{ provide: APP_FILTER, useClass: BusyFilter }] });
    for (const place of [...INSIDE, ...BEFORE]) {
      expect(await ask(place)).toMatchObject({ status: 423, body: BUSY, comeBack: true });
    }
  });
});

/** As a `main.ts` makes them: the one wants the host of the adapter, the other one the adapter. */
function filterArgument(app: INestApplication, filter: unknown): unknown {
  const host = app.get(HttpAdapterHost);
  return filter === WatchingFilter ? host.httpAdapter : host;
}
