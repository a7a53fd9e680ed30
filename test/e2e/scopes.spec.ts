import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import { RedisLockModule } from 'nestjs-redis-lock';
import request from 'supertest';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import {
  Births,
  DurableController,
  FirstUser,
  RequestScopedController,
  SecondUser,
  TenantService,
  TenantStrategy,
  TransientService,
} from '../src/classes/scoped.js';
import { Overlap } from '../src/controllers/overlap.js';

const redis = useRedis();

const start = () =>
  startApp({
    imports: [RedisLockModule.forRoot({ connection: redis.url, defaults: { wait: '60s' } })],
    controllers: [DurableController, RequestScopedController],
    providers: [Births, Overlap, TenantService, TransientService, FirstUser, SecondUser],
  });

const TENANTS = ['a', 'b', 'a', 'b', 'a', 'b'];

/** One request of each of them, all at once. */
async function ask(app: INestApplication, path: string, tenants: string[]): Promise<string[]> {
  const answers = await Promise.all(
    tenants.map((tenant) => request(app.getHttpServer()).get(path).set('x-tenant-id', tenant).expect(200)),
  );
  return answers.map(({ text }) => text);
}

beforeAll(() => ContextIdFactory.apply(new TenantStrategy()));

describe('Locked methods of objects that live for', () => {
  it('one tenant (durable) should exclude each other over all of them', async () => {
    const app = await start();
    const answers = await ask(app, '/durable', TENANTS);
    expect(answers).toEqual(TENANTS.map((tenant) => `${tenant} under shared by tenants`));
    expect(app.get(Births).of).toMatchObject({ tenant: 2 });
    expect(app.get(Overlap)).toMatchObject({ entered: TENANTS.length, most: 1 });
    expect(await redis.keys()).toEqual([]);
  });

  it('one request should exclude each other where their keys are the same', async () => {
    const app = await start();
    const tenants = Array<string>(6).fill('a');
    expect(await ask(app, '/request', tenants)).toEqual(tenants.map(() => 'a under request:a'));
    expect(app.get(Births).of).toMatchObject({ request: tenants.length });
    expect(app.get(Overlap)).toMatchObject({ entered: tenants.length, most: 1 });
    expect(await redis.keys()).toEqual([]);
  });

  it('each object that uses them (transient) should exclude each other', async () => {
    const app = await start();
    const users = [app.get(FirstUser), app.get(SecondUser)];
    expect(app.get(Births).of).toMatchObject({ transient: 2 });
    const calls = [...users, ...users, ...users].map(({ service }) => service.work());
    expect(await Promise.all(calls)).toEqual(Array(6).fill('under transient'));
    expect(app.get(Overlap)).toMatchObject({ entered: 6, most: 1 });
  });
});
