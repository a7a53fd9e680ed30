import { describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { RedisLockModule } from 'nestjs-redis-lock';
import { get, type ClientRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { startApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';
import { ALL_QUEUE } from '../../helpers/ways.js';
import { ExportsController } from '../../src/recipes/exports.controller.js';
import { Exports } from '../../src/recipes/exports.js';

const redis = useRedis();

const start = () =>
  startApp({
    imports: [RedisLockModule.forRoot({ connection: redis.url, ...ALL_QUEUE })],
    controllers: [ExportsController],
    providers: [Exports],
  });

function open(app: INestApplication, path: string): ClientRequest {
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return get({ port, path, host: '127.0.0.1' }).on('error', () => undefined);
}

describe('A request whose client goes away', () => {
  it('leaves the queue, and its work is never begun', async () => {
    const app = await start();
    const { locks } = await openLocks({ connection: redis.url });
    const lease = await locks.acquire('export:acme');
    const state = new LockState(redis, 'export:acme');
    const impatient = open(app, '/exports/acme');
    await state.untilWaiting(1);
    const patient = request(app.getHttpServer())
      .get('/exports/acme')
      .then(({ text }) => text);
    await state.untilWaiting(2);
    impatient.destroy();
    await state.untilWaiting(1);
    await lease.release();
    expect(await patient).toBe('export of acme');
    expect(app.get(Exports).begun).toEqual(['acme']);
    expect(await redis.keys()).toEqual([]);
  });

  it('stops work that watches the signal, and the lock is free', async () => {
    const app = await start();
    const client = open(app, '/exports/slow');
    await waitUntil(() => app.get(Exports).begun.length > 0, 'the export has begun');
    client.destroy();
    await waitUntil(async () => (await redis.keys()).length === 0, 'the lock is free');
    expect(app.get(Exports).stopped).toEqual(['slow']);
  });
});
