import { beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RedisLockModule } from 'nestjs-redis-lock';
import request from 'supertest';
import { startApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { Answers } from '../../src/recipes/answers.js';
import { TransfersController } from '../../src/recipes/transfers.controller.js';
import { Transfers } from '../../src/recipes/transfers.js';

const redis = useRedis();

const start = () =>
  startApp({
    imports: [RedisLockModule.forRoot({ connection: redis.url })],
    controllers: [TransfersController],
    providers: [Answers, Transfers, { provide: Redis, useFactory: () => new Redis(redis.url) }],
  });

async function post(app: INestApplication, key: string | undefined, amount: number) {
  const call = request(app.getHttpServer()).post('/transfers').send({ amount });
  if (key !== undefined) call.set('Idempotency-Key', key);
  const { status, body } = await call;
  return { status, body: body as Record<string, unknown> };
}

beforeEach(() => {
  Transfers.executed = 0;
});

describe('An endpoint with an Idempotency-Key', () => {
  it('does the work once for each key, and gives everybody the same answer', async () => {
    const apps = [await start(), await start()] as const;
    const five = (key: string) => Array.from({ length: 5 }, (_, i) => post(apps[i % 2 ? 1 : 0], key, 10));
    const [a, b] = await Promise.all([Promise.all(five('a')), Promise.all(five('b'))]);
    expect(Transfers.executed).toBe(2);
    for (const answers of [a, b]) {
      expect(answers).toEqual(Array(5).fill({ status: 201, body: { id: expect.any(Number), amount: 10 } }));
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    }
    expect(await post(apps[0], 'a', 10)).toEqual(a[0]);
    expect(await redis.client.keys('lock:*')).toEqual([]);
  });

  it('keeps no answer of work that failed, so that the client may try again', async () => {
    const app = await start();
    expect(await post(app, 'a', -1)).toMatchObject({ status: 400 });
    expect(await post(app, 'a', 5)).toMatchObject({ status: 201, body: { amount: 5 } });
  });

  it('refuses a request without the header, and takes no lock', async () => {
    const app = await start();
    expect(await post(app, undefined, 5)).toMatchObject({ status: 400 });
    expect(Transfers.executed).toBe(0);
  });
});
