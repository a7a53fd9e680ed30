import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { LazyModuleLoader, NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { Redis } from 'ioredis';
import { LockService, RedisLockModule } from 'nestjs-redis-lock';
import { bindLockService } from 'nestjs-redis-lock/testing';
import { closeAfterTest } from '../helpers/close-after-test.js';
import { startApp, stopApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { LockKeys } from '../src/classes/lock-keys.js';
import { Overlap } from '../src/controllers/overlap.js';
import { LeftModule, LeftService, RightModule, RightService } from '../src/module/circular.js';
import { EarlyUser } from '../src/module/early.js';

const redis = useRedis();
const elsewhere = useRedis();
const locks = (more: object = {}): DynamicModule => RedisLockModule.forRoot({ connection: redis.url, ...more });
const client = (server = redis): Provider => ({ provide: 'redis', useValue: server.client });
const user = (target: unknown): Provider => ({
  provide: EarlyUser,
  useFactory: (keys: LockKeys) => new EarlyUser(keys),
  inject: [target as string],
});

describe('Where the module can stand [BC-70]', () => {
  it('should serve an application without any server', async () => {
    @Module({ imports: [locks()], providers: [client(), LockKeys] })
    class RootModule {}
    const app = closeAfterTest(await NestFactory.createApplicationContext(RootModule, { logger: false }));
    expect(await app.get(LockKeys).keys()).toEqual(['lock:k']);
  });

  it('should serve modules that import each other, with services that need each other', async () => {
    const app = await startApp({ imports: [LeftModule, locks({ defaults: { wait: '60s' } }), RightModule] });
    const services = [app.get(LeftService), app.get(RightService)];
    const answers = await Promise.all([...services, ...services].map((service) => service.run()));
    expect(answers).toEqual([1, 2].flatMap(() => ['right under circle', 'left under circle']));
    expect(app.get(Overlap, { strict: false })).toMatchObject({ entered: 4, most: 1 });
    expect(await redis.keys()).toEqual([]);
  });

  it('should serve from a module deep below the root', async () => {
    @Module({ imports: [locks({ namespace: 'deep' })] })
    class DeepModule {}
    @Module({ imports: [DeepModule] })
    class MiddleModule {}
    const app = await startApp({ imports: [MiddleModule], providers: [client(), LockKeys] });
    expect(await app.get(LockKeys).keys()).toEqual(['deep:lock:k']);
  });

  it('should serve through a module that exports it, with "isGlobal: false"', async () => {
    @Module({ imports: [locks({ isGlobal: false })], exports: [RedisLockModule] })
    class SharedModule {}
    const object = { provide: 'object', useFactory: () => new LockKeys(redis.client) };
    const app = await startApp({ imports: [SharedModule], providers: [client(), LockKeys, object] });
    expect(await app.get(LockKeys).keys()).toEqual(['lock:k']);
    expect(await app.get<LockKeys>('object').keys()).toEqual(['lock:k']);
  });

  it('should say who lacks what, and what to import, where it is not global', async () => {
    @Module({ providers: [client(), LockKeys] })
    class FeatureModule {}
    await expect(startApp({ imports: [locks({ isGlobal: false }), FeatureModule] })).rejects.toThrow(
      /dependencies of the LockKeys.*RedisLockModule\.forRoot\(\) in the imports of your root module, or of this one with isGlobal: false.*FeatureModule/s,
    );
  });

  it('should serve a module that brings it along when it is loaded later', async () => {
    @Module({ imports: [locks()], providers: [client(), LockKeys] })
    class LateModule {}
    const app = await startApp({});
    const late = await app.get(LazyModuleLoader).load(() => LateModule);
    expect(await late.get(LockKeys).keys()).toEqual(['lock:k']);
    // Nest calls no hooks in such modules.
    await late.get(LockService, { strict: false }).onApplicationShutdown();
  });

  it('should fail for an object of a factory that is loaded later, since nothing can fill it', async () => {
    @Module({ providers: [{ provide: 'object', useFactory: () => new LockKeys(redis.client) }] })
    class LateModule {}
    const app = await startApp({ imports: [locks()] });
    const late = await app.get(LazyModuleLoader).load(() => LateModule);
    await expect(late.get<LockKeys>('object').keys()).rejects.toMatchObject({
      code: 'LOCK_OPTIONS',
      message: expect.stringMatching(/LockKeys\.keys .*register LockKeys as a class provider/),
    });
  });
});

describe('Locked methods that are called early [BC-69]', () => {
  it('should fail in the constructor of their own object, and say why', async () => {
    @Injectable()
    class Hasty extends LockKeys {
      readonly early = this.keys().catch((error: unknown) => error);

      constructor(@Inject('redis') connection: Redis) {
        super(connection);
      }
    }
    const app = await startApp({ imports: [locks()], providers: [client(), Hasty] });
    expect(await app.get(Hasty).early).toMatchObject({
      code: 'LOCK_OPTIONS',
      message: expect.stringMatching(/LockKeys\.keys .*before the module was initialised.*register Hasty/),
    });
    expect(await app.get(Hasty).keys()).toEqual(['lock:k']);
  });

  it('should lock in the constructor and the factory of somebody else', async () => {
    @Injectable()
    class Hasty {
      readonly early: Promise<string[]>;

      constructor(keys: LockKeys) {
        this.early = keys.keys();
      }
    }
    const app = await startApp({
      imports: [locks()],
      providers: [
        client(),
        LockKeys,
        Hasty,
        { provide: 'early', useFactory: (keys: LockKeys, _: Hasty) => keys.keys(), inject: [LockKeys, Hasty] },
      ],
    });
    expect([await app.get(Hasty).early, app.get<string[]>('early')]).toEqual([
      expect.arrayContaining(['lock:k']),
      expect.arrayContaining(['lock:k']),
    ]);
  });

  it('should lock before the application is initialised', async () => {
    const module = await Test.createTestingModule({ imports: [locks()], providers: [client(), LockKeys] }).compile();
    closeAfterTest(module);
    expect(await module.get(LockKeys).keys()).toEqual(['lock:k']);
  });

  it('should lock an object of a factory from the initialisation on, and fail before', async () => {
    const module = await Test.createTestingModule({
      imports: [locks()],
      providers: [{ provide: 'object', useFactory: () => new LockKeys(redis.client) }],
    }).compile();
    closeAfterTest(module);
    const object = module.get<LockKeys>('object');
    await expect(object.keys()).rejects.toMatchObject({
      code: 'LOCK_OPTIONS',
      message: expect.stringContaining('before the module was initialised'),
    });
    await module.init();
    expect(await object.keys()).toEqual(['lock:k']);
  });

  it.each([
    ['a class', LockKeys],
    ['an object of a factory', 'object'],
  ])('should lock in the hooks of other providers: %s', async (_, target) => {
    const app = await startApp({
      // The module comes last.
      providers: [
        user(target),
        { provide: 'object', useFactory: () => new LockKeys(redis.client) },
        LockKeys,
        client(),
      ],
      imports: [locks()],
    });
    expect(app.get(EarlyUser).seen).toEqual({ onModuleInit: ['lock:k'], onApplicationBootstrap: ['lock:k'] });
  });
});

describe('Applications of one process that use different servers', () => {
  const start = (server: typeof redis, namespace: string) =>
    startApp({
      imports: [RedisLockModule.forRoot({ connection: server.url, namespace })],
      providers: [client(server), LockKeys],
    });

  it('should know nothing of each other, whichever ends or starts anew [BC-21]', async () => {
    let first = await start(redis, 'first');
    const second = await start(elsewhere, 'second');
    const keysOf = (app: typeof first) => app.get(LockKeys).keys();
    const lease = await first.get(LockService).acquire('k');
    expect(await keysOf(second)).toEqual(['second:lock:k']);
    await lease.release();
    expect(await keysOf(first)).toEqual(['first:lock:k']);
    for (let round = 0; round < 3; round++) {
      await stopApp(first);
      expect(await keysOf(second)).toEqual(['second:lock:k']);
      first = await start(redis, `first-${round}`);
      expect(await keysOf(first)).toEqual([`first-${round}:lock:k`]);
      expect(await keysOf(second)).toEqual(['second:lock:k']);
    }
  });
});

describe('An object that a unit test made with new', () => {
  it('should fail with the way out, and lock with the service of an application', async () => {
    const object = new LockKeys(redis.client);
    await expect(object.keys()).rejects.toMatchObject({
      code: 'LOCK_OPTIONS',
      message: expect.stringMatching(/LockKeys\.keys has no LockService, so it was not run.*bindLockService/),
    });
    const app = await startApp({ imports: [locks()] });
    expect(await bindLockService(object, app.get(LockService)).keys()).toEqual(['lock:k']);
  });
});
