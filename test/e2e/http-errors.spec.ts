import { describe, expect, it } from '@jest/globals';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { LockInterceptor, LockService, RedisLockModule, type RedisLockModuleOptions } from 'nestjs-redis-lock';
import request from 'supertest';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { FailingController } from '../src/http-errors/failing.controller.js';
import { TeapotFilter } from '../src/http-errors/teapot.filter.js';

const redis = useRedis();

async function start(providers: object[] = [], options: RedisLockModuleOptions = {}) {
  const app = await startApp({
    imports: [RedisLockModule.forRoot({ connection: redis.url, shutdownTimeout: 0, logger: false, ...options })],
    controllers: [FailingController],
    providers: providers as [],
  });
  return { http: request(app.getHttpServer()), locks: app.get(LockService) };
}

describe('Errors of locks over HTTP', () => {
  it.each(['decorator', 'observable', 'service', 'interceptor'])(
    'should be 423 with Retry-After for a busy lock, without its key (%s) [BC-73]',
    async (source) => {
      const { http, locks } = await start();
      await locks.acquire('secret:account', { ttl: '30s' });
      const response = await http.get(`/busy/${source}`).expect(423);
      expect(response.body).toEqual({ statusCode: 423, code: 'LOCK_BUSY', message: expect.any(String) });
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(25);
      expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(30);
      expect(JSON.stringify([response.body, response.headers])).not.toContain('secret');
    },
  );

  it('should be left to the filters of the application', async () => {
    const { http, locks } = await start([{ provide: APP_FILTER, useClass: TeapotFilter }]);
    await locks.acquire('secret:account', { ttl: '30s' });
    const response = await http.get('/busy/decorator').expect(418);
    expect(response.body).toEqual({ again: Number(response.headers['retry-after']) });
  });

  it('should have Retry-After when a lock on all handlers is busy', async () => {
    const { http, locks } = await start([
      { provide: APP_INTERCEPTOR, useClass: LockInterceptor.with('everything', { wait: 0 }) },
    ]);
    await locks.acquire('everything');
    await http.get('/skipped').expect(423).expect('Retry-After', '10');
  });

  it('should be no error with onBusy "skip"', async () => {
    const { http, locks } = await start();
    await locks.acquire('secret:account');
    await http.get('/skipped').expect(200, '');
  });

  it('should be 409 for a lost lock and 500 for a wrong key, without the key', async () => {
    const { http } = await start();
    const lost = await http.get('/lost').expect(409);
    expect(lost.body).toEqual({ statusCode: 409, code: 'LOCK_LOST', message: expect.any(String) });
    const key = await http.get('/key').expect(500);
    expect(key.body).toEqual({ statusCode: 500, code: 'LOCK_KEY', message: 'Internal server error' });
    expect(JSON.stringify([lost.body, key.body])).not.toContain('secret');
  });

  it('should be 503 while Redis is not there, which does not keep the application from starting', async () => {
    const { http } = await start([], { connection: 'redis://127.0.0.1:1', commandTimeout: 50, defaults: { wait: 50 } });
    const response = await http.get('/busy/decorator').expect(503);
    expect(response.body).toEqual({ statusCode: 503, code: 'LOCK_UNAVAILABLE', message: expect.any(String) });
    expect(response.headers).not.toHaveProperty('retry-after');
    await http.get('/skipped').expect(503);
  });
});
