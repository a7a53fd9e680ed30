import { describe, expect, it } from '@jest/globals';
import { Global, Module, type INestApplication } from '@nestjs/common';
import { ClientProxyFactory, Transport } from '@nestjs/microservices';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { LockService, RedisLockModule, type RedisLockModuleOptions } from 'nestjs-redis-lock';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { firstValueFrom } from 'rxjs';
import request from 'supertest';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { startApp, stopApp } from '../helpers/start-app.js';
import { timed } from '../helpers/timed.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { watch } from '../helpers/watch.js';
import { ALL_QUEUE, WAYS } from '../helpers/ways.js';
import { NightlyService } from '../src/shutdown/nightly.service.js';
import { TidyService } from '../src/shutdown/tidy.service.js';
import { Work } from '../src/shutdown/work.js';
import { WorkingController } from '../src/shutdown/working.controller.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);

const start = (options: RedisLockModuleOptions = {}) =>
  startApp({
    imports: [RedisLockModule.forRoot({ connection: redis.url, ...options }), ScheduleModule.forRoot()],
    controllers: [WorkingController],
    providers: [Work, NightlyService, TidyService],
  });

const untilRunning = (app: INestApplication, ...names: string[]) =>
  waitUntil(() => app.get(Work).running.join() === names.join(), `${names.join()} at work`);

/** Begins the end, and resolves when the lock module has been told. */
async function beginToClose(app: INestApplication): Promise<() => Promise<void>> {
  const closing = stopApp(app);
  const { had } = app.get(TidyService);
  await waitUntil(() => had.includes('tidy:beforeApplicationShutdown'), 'the hooks of the shutdown');
  return () => closing;
}

/** Clients beside the one of this test. */
async function clients(): Promise<string[]> {
  const list = String(await redis.client.client('LIST'));
  return list
    .trim()
    .split('\n')
    .filter((line) => !line.includes('cmd=client'));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('Work under a lock when the application closes [BC-20]', () => {
  it('should keep its lease for longer than its ttl, and answer', async () => {
    const app = await start();
    const tcp = { transport: Transport.TCP, options: { host: '127.0.0.1', port: await freePort() } } as const;
    app.connectMicroservice(tcp);
    await app.startAllMicroservices();
    const client = ClientProxyFactory.create(tcp);
    const http = request(app.getHttpServer());
    const answers = Promise.all(['/handler', '/section'].map((path) => http.get(path).then(({ text }) => text)));
    // Nest does not let its answer out any more.
    void firstValueFrom(client.send<string>('settle', {})).catch(() => undefined);
    void app.get(SchedulerRegistry).getCronJob('nightly').fireOnTick();
    const names = ['cron', 'handler', 'message', 'section'];
    await untilRunning(app, ...names);

    const closing = await beginToClose(app);
    const closed = watch(closing());
    const { locks } = await openLocks({ connection: redis.url });
    const state = new LockState(redis, 'handler');
    const begun = await state.serverTime();
    while ((await state.serverTime()) < begun + 2_500_000) {
      for (const name of names) expect(await locks.tryAcquire(name)).toBeNull();
    }
    expect(closed()).toBe(false);
    app.get(Work).endAll();
    expect(await answers).toEqual(['handler', 'section']);
    await closing();
    await client.close();
    expect(app.get(Work).done.toSorted()).toEqual(names);
    expect(await redis.keys()).toEqual([]);
  });

  it('should get the free locks that it still needs, up to its end', async () => {
    const app = await start();
    const locks = app.get(LockService);
    let goOn!: () => void;
    const outer = locks.withLock('outer', async () => {
      await new Promise<void>((resolve) => (goOn = resolve));
      return locks.withLock('inner', ({ key }) => key);
    });
    await waitUntil(async () => (await redis.keys()).length === 1, 'the work has begun');
    const closing = stopApp(app);
    const asNewcomer = () => locks.withLock('new', () => 'given').catch(({ code }: { code: string }) => code);
    await waitUntil(async () => (await asNewcomer()) === 'LOCK_CLOSED', 'newcomers are refused');
    goOn();
    expect(await outer).toBe('inner');
    await closing;
    expect(await redis.keys()).toEqual([]);
  });

  it('should be told by its signal when it takes longer than shutdownTimeout, and lose the lock', async () => {
    const app = await start({ shutdownTimeout: 300 });
    const locks = app.get(LockService);
    let aborted: unknown;
    let entered = false;
    const work = locks.withLock('stubborn', async ({ signal }) => {
      entered = true;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      aborted = signal.reason;
      return 'half';
    });
    const failed = expect(work).rejects.toMatchObject({ code: 'LOCK_LOST', result: 'half' });
    await waitUntil(() => entered, 'the work has begun');
    const closing = timed(() => stopApp(app));
    await failed;
    expect(String(aborted)).toMatch(/shutdown/);
    expect((await closing).took).toBeGreaterThan(295);
    expect(await redis.keys()).toEqual([]);
  });

  it.each(WAYS)(
    'should not be waited for by who waits for its lock: they are told at once, and over HTTP by 503, $way',
    async ({ fair }) => {
      const app = await start({ defaults: { fair } });
      const http = request(app.getHttpServer());
      const answer = http.get('/handler').then(({ text }) => text);
      await untilRunning(app, 'handler');
      const state = new LockState(redis, 'handler');
      const asked = once(app.getHttpServer() as Server, 'request');
      const over = http.get('/handler').then(({ status, body }) => ({ status, body }));
      await asked;
      const waiting = app.get(LockService).withLock('handler', { wait: Infinity }, () => 'never');
      const refused = expect(waiting).rejects.toMatchObject({ code: 'LOCK_CLOSED', statusCode: 503 });
      if (fair) await state.untilWaiting(2);
      const closing = await beginToClose(app);
      await refused;
      const { status, body } = await over;
      expect([status, body.code]).toEqual([503, 'LOCK_CLOSED']);
      expect(JSON.stringify(body)).not.toContain('handler');
      // All that while the work goes on.
      expect(app.get(Work).running).toEqual(['handler']);
      await state.untilWaiting(0);
      app.get(Work).endAll();
      expect(await answer).toBe('handler');
      await closing();
      expect(await redis.keys()).toEqual([]);
    },
  );
});

describe('The end of an application', () => {
  it('should give free locks to its own hooks, the last one included [BC-20]', async () => {
    const app = await start();
    await stopApp(app);
    const hooks = ['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'];
    expect(app.get(TidyService).had).toEqual(hooks.flatMap((hook) => [`tidy:${hook}`, 'tidy:more']));
    expect(await redis.keys()).toEqual([]);
  });

  it('should be done once, however often it is asked for, and close both connections [BC-20]', async () => {
    // No hooks of its own: Nest 11 calls them once for each of these.
    const app = await startApp({ imports: [RedisLockModule.forRoot({ connection: redis.url, ...ALL_QUEUE })] });
    const locks = app.get(LockService);
    const lease = await locks.acquire('held');
    const waiting = locks.acquire('held', { reentrant: false }).catch((error: unknown) => error);
    await new LockState(redis, 'held').untilWaiting(1);
    // Commands and wake channel.
    await waitUntil(async () => (await clients()).length === 2, 'both connections');
    const closing = Promise.all([stopApp(app), app.close(), app.close()]);
    expect(await waiting).toMatchObject({ code: 'LOCK_CLOSED' });
    await lease.release();
    await closing;
    await app.close();
    await waitUntil(async () => (await clients()).length === 0, 'the end of both connections');
    expect(await redis.keys()).toEqual([]);
  });

  it('should give free locks to a global module behind ours, in its last hook, too', async () => {
    @Global()
    @Module({ providers: [TidyService] })
    class GlobalModule {}
    const app = await startApp({ imports: [RedisLockModule.forRoot({ connection: redis.url }), GlobalModule] });
    await stopApp(app);
    expect(app.get(TidyService).had).toHaveLength(6);
  });

  it('should give a free lock to who has asked for it already, and send away who turns out to have to wait', async () => {
    const holder = await openLocks({ connection: redis.url });
    await holder.locks.acquire('busy');
    const state = new LockState(redis, 'busy');
    const order: string[] = [];
    const ends: Promise<unknown>[] = [];
    const app = await startApp({
      imports: [RedisLockModule.forRoot({ connection: proxy.url, ...ALL_QUEUE })],
      providers: [
        {
          provide: 'late',
          useValue: {
            // Between the hooks of ours.
            onApplicationShutdown: async () => {
              order.push('refused');
              replies.letGo();
              await Promise.all(ends);
            },
          },
        },
      ],
    });
    const locks = app.get(LockService);
    const first = locks.acquire('busy').catch(({ code }: { code: string }) => code);
    await state.untilWaiting(1);
    const replies = proxy.hold('replies', { of: 'commands' });
    ends.push(locks.withLock('free', () => order.push('worked')));
    ends.push(locks.acquire('busy').catch(({ code }: { code: string }) => order.push(code)));
    await state.untilWaiting(2);
    await stopApp(app);
    expect(await first).toBe('LOCK_CLOSED');
    expect(order).toEqual(['refused', 'worked', 'LOCK_CLOSED']);
    await state.untilWaiting(0);
    expect(await redis.keys()).toEqual(['lock:busy']);
  });

  it('should leave only what a minHold keeps', async () => {
    const app = await start();
    const locks = app.get(LockService);
    await locks.withLock('job', { minHold: '1m' }, () => undefined);
    await locks.withLock('other', () => undefined);
    await stopApp(app);
    expect(await redis.keys()).toEqual(['lock:job']);
    expect(await redis.client.pttl('lock:job')).toBeGreaterThan(50_000);
  });

  it('should leave no lock behind for a call that is still to be answered', async () => {
    const { locks, close } = await openLocks({ connection: proxy.url });
    await locks.withLock('k', () => undefined);
    const replies = proxy.hold('replies', { of: 'commands' });
    const last = locks.tryAcquire('k').catch((error: unknown) => error);
    await waitUntil(() => replies.pieces > 0, 'the lock is taken');
    const closing = close();
    const closed = watch(closing);
    await waitUntil(async () => closed() || (await redis.keys()).length === 0, 'given back or closed');
    replies.letGo();
    await closing;
    expect(await last).toMatchObject({ code: 'LOCK_CLOSED' });
    expect(await redis.keys()).toEqual([]);
  });
});
