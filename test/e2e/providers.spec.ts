import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Inject, Injectable, Module, UseInterceptors, type Provider } from '@nestjs/common';
import { LazyModuleLoader, ModuleRef, NestFactory } from '@nestjs/core';
import { LockInterceptor, LockOptionsError, LockService, RedisLockModule, WithLock } from 'nestjs-redis-lock';
import { Redis } from 'ioredis';
import request from 'supertest';
import { LockState } from '../helpers/lock-state.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { startApp, stopApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { AuditOnly } from '../src/module/unserved.services.js';
import { AuditService } from '../src/providers/audit.service.js';
import {
  Counter,
  EagerCounter,
  ExtendedCounter,
  RequestCounter,
  SingletonCounter,
  TransientCounter,
} from '../src/providers/counter.service.js';

const redis = useRedis();
const locks = (namespace?: string) => RedisLockModule.forRoot({ connection: redis.url, namespace });
const start = (providers: Provider[], controllers: (typeof RequestController)[] = []) =>
  startApp({ imports: [locks()], providers, controllers });

@Controller()
class RequestController {
  constructor(private readonly counter: RequestCounter) {}

  @Get()
  @WithLock('route')
  async get(): Promise<string | undefined> {
    return this.counter.count();
  }
}

describe('Objects that Nest makes', () => {
  it('should lock as singletons, transients, subclasses and mixins', async () => {
    const mixin = (name: string) => {
      @Injectable()
      class MixinCounter extends Counter {
        constructor() {
          super(name);
        }
      }
      return MixinCounter;
    };
    const MixedCounter = mixin('mixed');
    const app = await start([SingletonCounter, TransientCounter, ExtendedCounter, MixedCounter]);
    expect(await app.get(SingletonCounter).count()).toBe('singleton');
    expect(await (await app.resolve(TransientCounter)).count()).toBe('transient');
    expect(await app.get(ExtendedCounter).more()).toEqual(['more', 'extended']);
    expect(await app.get(MixedCounter).count()).toBe('mixed');
    const made = await app.get(ModuleRef).create(SingletonCounter);
    expect(await made.count()).toBe('singleton');
  });

  it('should lock when they live for one request', async () => {
    const app = await start([RequestCounter], [RequestController]);
    await request(app.getHttpServer()).get('/').expect(200, 'request');
  });

  it('should lock in the hooks of start-up [BC-69]', async () => {
    const app = await start([EagerCounter]);
    expect(app.get(EagerCounter).seen).toEqual(['eager', 'eager']);
  });

  it.each([{ lazyConnect: true }, { enableOfflineQueue: false }, { lazyConnect: true, enableOfflineQueue: false }])(
    'should wait in the hooks of start-up with a client that has %j [BC-31]',
    async (options) => {
      const client = new Redis(redis.url, options);
      const holder = (await start([])).get(LockService);
      const lease = await holder.acquire('eager');
      const metadata = { imports: [RedisLockModule.forRoot({ connection: client })], providers: [EagerCounter] };
      const starting = startApp(metadata);
      await new LockState(redis, 'eager').untilWaiting(1);
      await lease.release();
      const app = await starting;
      expect(app.get(EagerCounter).seen).toEqual(['eager', 'eager']);
      await stopApp(app);
      expect(client.status).toBe(options.lazyConnect ? 'wait' : 'ready');
      client.disconnect();
    },
  );

  it('should lock in a module that is loaded later, and outside of HTTP [BC-69]', async () => {
    @Module({ providers: [SingletonCounter] })
    class LateModule {}
    @Module({ imports: [locks()] })
    class RootModule {}
    const app = await NestFactory.createApplicationContext(RootModule, { logger: false });
    const late = await app.get(LazyModuleLoader).load(() => LateModule);
    expect(await late.get(SingletonCounter).count()).toBe('singleton');
    await app.close();
  });
});

describe('Objects that come out of factories or are given as values', () => {
  const frozen = Object.freeze(new Counter('frozen'));

  it('should lock once the application has started', async () => {
    const value = new Counter('value');
    const app = await start([
      { provide: 'factory', useFactory: () => new Counter('factory') },
      { provide: 'async', useFactory: async () => Promise.resolve(new ExtendedCounter()) },
      { provide: 'value', useValue: value },
      { provide: 'alias', useExisting: 'value' },
      { provide: 'null', useValue: null },
      { provide: 'bare', useValue: Object.create(null) as object },
      { provide: 'text', useValue: 'text' },
    ]);
    expect(await app.get<Counter>('factory').count()).toBe('factory');
    expect(await app.get<ExtendedCounter>('async').more()).toEqual(['more', 'extended']);
    expect(await app.get<Counter>('alias').count()).toBe('value');
  });

  it('should be named when they cannot be given the service, and then fail', async () => {
    const logger = new RecordingLogger();
    const app = await startApp({
      imports: [RedisLockModule.forRoot({ connection: redis.url, logger })],
      providers: [{ provide: 'frozen counter', useValue: frozen }],
    });
    expect(logger.warnings).toEqual([expect.stringContaining('frozen counter')]);
    await expect(app.get<Counter>('frozen counter').count()).rejects.toThrow(LockOptionsError);
  });
});

describe('Named modules', () => {
  it('should each serve their own connection, and only the unnamed one the class', async () => {
    const app = await startApp({
      imports: [locks(), RedisLockModule.forRoot({ name: 'audit', connection: redis.url, namespace: 'audit' })],
      providers: [
        AuditService,
        { provide: 'made', useFactory: (a: LockService) => new AuditService(a, a, a), inject: [LockService] },
        { provide: 'audit only', useFactory: () => new AuditOnly() },
      ],
    });
    const service = app.get(AuditService);
    expect(service.same).toBe(service.locks);
    expect(service.audit).not.toBe(service.locks);
    expect([await service.here(), await service.there()]).toEqual(['here', 'there']);
    const made = app.get<AuditService>('made');
    const lease = await service.audit.acquire('there');
    expect(await redis.keys()).toEqual(['audit:lock:there']);
    await lease.release();
    expect([await made.here(), await made.there()]).toEqual(['here', 'there']);
    await app.get<AuditOnly>('audit only').run();
  });
});

describe('LockInterceptor on a named connection', () => {
  it('should take its locks there', async () => {
    @Controller()
    @UseInterceptors(LockInterceptor.with('k', { connection: 'audit' }))
    class AuditController {
      @Get()
      async keys(): Promise<string[]> {
        return redis.keys();
      }
    }
    const audit = RedisLockModule.forRoot({ name: 'audit', connection: redis.url, namespace: 'audit' });
    const app = await startApp({ imports: [locks(), audit], controllers: [AuditController] });
    await request(app.getHttpServer()).get('/').expect(200, ['audit:lock:k']);
  });
});

describe('Two applications in one process', () => {
  it('should each use their own service, also when one of them has ended [BC-21]', async () => {
    @Injectable()
    class Holder {
      constructor(@Inject(LockService) readonly locks: LockService) {}

      @WithLock('k')
      async keys(): Promise<string[]> {
        return redis.keys();
      }
    }
    const first = await startApp({ imports: [locks('first')], providers: [Holder] });
    const second = await startApp({ imports: [locks('second')], providers: [Holder] });
    expect(await first.get(Holder).keys()).toEqual(['first:lock:k']);
    expect(await second.get(Holder).keys()).toEqual(['second:lock:k']);
    await stopApp(first);
    expect(await second.get(Holder).keys()).toEqual(['second:lock:k']);
    await expect(first.get(Holder).keys()).rejects.toMatchObject({ code: 'LOCK_CLOSED' });
  });
});
