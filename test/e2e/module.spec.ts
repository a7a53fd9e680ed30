import { describe, expect, it } from '@jest/globals';
import { Module, type DynamicModule } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  getLockServiceToken,
  LockOptionsError,
  LockService,
  RedisLockModule,
  type RedisLockModuleAsyncOptions,
} from 'nestjs-redis-lock';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { startApp, stopApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { Config, ConfigModule } from '../src/module/config.module.js';
import { FeatureModule, FeatureService } from '../src/module/feature.module.js';
import { AuditOnly, FeatureOnly } from '../src/module/unserved.services.js';

const redis = useRedis();

const messageOf = (error: unknown): string => (error as Error).message;

describe('RedisLockModule.forRootAsync', () => {
  const variants: [string, () => RedisLockModuleAsyncOptions][] = [
    ['useFactory', () => ({ useFactory: () => ({ connection: redis.url, namespace: 'n' }) })],
    [
      'useFactory with inject and imports',
      () => ({
        imports: [ConfigModule],
        inject: [Config],
        useFactory: (config: Config) => config.createRedisLockOptions(),
      }),
    ],
    ['useClass', () => ({ useClass: Config })],
    ['useExisting', () => ({ imports: [ConfigModule], useExisting: Config })],
  ];

  it.each(variants)('should take its options from %s', async (_, variant) => {
    Config.options = { connection: redis.url, namespace: 'n' };
    const app = await startApp({ imports: [RedisLockModule.forRootAsync(variant()), FeatureModule] });
    const { locks } = app.get(FeatureService);
    await locks.withLock('k', async () => expect(await redis.keys()).toEqual(['n:lock:k']));
    expect(await app.get(FeatureService).run()).toBe('ran');
  });

  it('should take name and isGlobal beside the factory', async () => {
    const useFactory = () => ({ connection: redis.url, namespace: 'named' });
    const named = RedisLockModule.forRootAsync({ name: 'audit', useFactory });
    expect(named.global).toBe(true);
    expect(RedisLockModule.forRootAsync({ isGlobal: false, useFactory }).global).toBe(false);
    const app = await startApp({ imports: [named] });
    const locks = app.get<LockService>(getLockServiceToken('audit'));
    await locks.withLock('k', async () => expect(await redis.keys()).toEqual(['named:lock:k']));
    expect(() => app.get(LockService)).toThrow();
  });

  it('should fail at boot for wrong options, naming the one', async () => {
    const boot = (useFactory: () => object) =>
      Test.createTestingModule({ imports: [RedisLockModule.forRootAsync({ useFactory })] }).compile();
    await expect(boot(() => ({ defaults: { ttl: '60' } }))).rejects.toThrow(/defaults.*ttl.*'60'/);
    await expect(boot(() => ({ name: 'audit' }))).rejects.toThrow(/name.*beside the factory/);
    await expect(boot(() => undefined as never)).rejects.toThrow(LockOptionsError);
  });
});

describe('RedisLockModule.forRoot', () => {
  it.each([
    [{ defaults: { ttl: 0 } }, /RedisLockModule\.forRoot.*ttl/],
    [{ comandTimeout: 5 }, /comandTimeout/],
    [{ connection: 6379 }, /connection/],
    [{ name: '' }, /name/],
    [{ isGlobal: 'yes' }, /isGlobal/],
  ])('should refuse %j at once', (options, message) => {
    const call = () => RedisLockModule.forRoot(options as never);
    expect(call).toThrow(LockOptionsError);
    expect(call).toThrow(message);
  });

  it('should need no options', () => {
    expect(RedisLockModule.forRoot()).toMatchObject({ module: RedisLockModule, global: true });
  });

  it('should serve only modules that import it with "isGlobal: false"', async () => {
    const module = RedisLockModule.forRoot({ connection: redis.url, isGlobal: false });
    await expect(startApp({ imports: [module, FeatureModule] })).rejects.toThrow(/FeatureService/);
    @Module({ imports: [module], providers: [FeatureService] })
    class OwnModule {}
    const app = await startApp({ imports: [OwnModule] });
    expect(await app.get(FeatureService).run()).toBe('ran');
  });

  it('should work when it is imported twice, and close both once [BC-21]', async () => {
    @Module({ imports: [RedisLockModule.forRoot({ connection: redis.url })], providers: [FeatureService] })
    class OwnModule {}
    const app = await startApp({ imports: [RedisLockModule.forRoot({ connection: redis.url }), OwnModule] });
    expect(await app.get(FeatureService, { strict: false }).run()).toBe('ran');
    await stopApp(app);
    await app.close();
    // The one of this test.
    await waitUntil(
      async () => (await redis.client.info('clients')).includes('connected_clients:1\r'),
      'the end of all connections',
    );
  });

  it('should give its warnings to its logger, and nothing with "logger: false"', async () => {
    const logger = new RecordingLogger();
    await startApp({ imports: [RedisLockModule.forRoot({ connection: redis.url, logger, defaults: { ttl: 200 } })] });
    expect(logger.warnings).toEqual([expect.stringMatching(/ttl is 200 ms/)]);
    const lines: string[] = [];
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (text: string) => lines.push(text) > 0;
    try {
      await startApp({
        imports: [RedisLockModule.forRoot({ connection: redis.url, logger: false, defaults: { ttl: 200 } })],
      });
    } finally {
      process.stdout.write = write;
    }
    expect(lines.join('')).not.toMatch(/ttl is/);
  });
});

describe('An application that does not import the module', () => {
  const boot = (imports: DynamicModule[] = []) =>
    Test.createTestingModule({ imports, providers: [AuditOnly] })
      .compile()
      .then(() => 'booted', messageOf);

  it('should not boot, and be told what to import', async () => {
    const message = await Test.createTestingModule({ providers: [FeatureOnly] })
      .compile()
      .catch(messageOf);
    expect(message).toMatch(
      /can't resolve dependencies of the FeatureOnly\..*"Symbol\(LockService, which comes from RedisLockModule\.forRoot\(\) in the imports of your root module, or of this one with isGlobal: false\)" property/,
    );
    expect(await boot([RedisLockModule.forRoot({ connection: redis.url })])).toMatch(
      /AuditOnly\..*RedisLockModule\.forRoot\(\{ name: 'audit' \}\)/,
    );
  });
});

describe('Shutdown', () => {
  it('should let work under a lock end, and refuse those who would have to wait', async () => {
    const log: string[] = [];
    const app = await startApp({
      imports: [RedisLockModule.forRoot({ connection: redis.url })],
      // Comes before the connection is closed.
      providers: [{ provide: 'late', useValue: { onApplicationShutdown: async () => log.push(await waiting) } }],
    });
    const locks = app.get(LockService);
    let end!: () => void;
    const entered = new Promise<void>((resolve) => {
      void locks
        .withLock('k', async () => {
          resolve();
          await new Promise<void>((done) => (end = done));
          expect(await redis.keys()).toEqual(['lock:k']);
        })
        .then(() => log.push('work ended'));
    });
    await entered;
    const waiting = locks.withLock('k', () => 'never').catch((error: unknown) => (error as LockOptionsError).code);
    const closed = stopApp(app).then(() => log.push('closed'));
    await waitUntil(() => log.length > 0, 'the hook of the application');
    end();
    await closed;
    expect(log).toEqual(['LOCK_CLOSED', 'work ended', 'closed']);
    expect(await redis.keys()).toEqual([]);
  });
});
