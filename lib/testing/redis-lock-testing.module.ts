import { Logger, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { checkExtras } from '../check-extras.js';
import { LockOptionsError } from '../errors/lock-options.error.js';
import type { LockService } from '../lock.service.js';
import { checkModuleOptions } from '../options/check-module-options.js';
import { getLockServiceToken } from '../redis-lock.constants.js';
import { RedisLockModule } from '../redis-lock.module.js';
import { EmbeddedServerModule } from './embedded-server.module.js';
import { EmbeddedRedis } from './embedded/embedded-redis.js';
import { inProduction, refuseInProduction } from './in-production.js';
import { ServedLocks } from './served-locks.js';
import type { RedisLockTestingOptions } from './testing-options.interface.js';

const WHERE = 'RedisLockTestingModule.forRoot';
const ONE_PROCESS = 'its locks exclude within this one process only';

/**
 * `RedisLockModule` over an embedded server, for tests without Redis: the same service, decorators and scripts. The server is
 * provided as `EmbeddedRedis`; it starts and stops with the application, and each application has one of its own unless one
 * is handed in. Its locks exclude within this one process only.
 *
 * Needs the package `wasmoon-lua5.1`.
 *
 * @publicApi
 */
@Module({})
export class RedisLockTestingModule {
  /**
   * @example
   * ```ts
   * const moduleRef = await Test.createTestingModule({
   *   imports: [RedisLockTestingModule.forRoot(), OrdersModule],
   * }).compile();
   * ```
   * @throws LockOptionsError naming the option that is wrong, and where `NODE_ENV` is `production` unless
   * `allowInProduction` is set
   */
  static forRoot(options: RedisLockTestingOptions = {}): DynamicModule {
    const { name, isGlobal = true, redis, now, allowInProduction, ...own } = options;
    refuseInProduction(WHERE, { allowInProduction }, ONE_PROCESS);
    checkExtras({ name, isGlobal }, WHERE);
    checkOwn(own, redis);
    const server = EmbeddedServerModule.forRoot(redis, { now, allowInProduction }, isGlobal && name === undefined);
    const locks = RedisLockModule.forRootAsync({
      name,
      isGlobal,
      imports: [server],
      inject: [EmbeddedRedis],
      useFactory: ({ connection }: EmbeddedRedis) => {
        if (inProduction()) warn(own);
        return { ...own, connection };
      },
    });
    return {
      module: RedisLockTestingModule,
      imports: [server, locks],
      providers: [servedLocks(name, redis === undefined)],
      exports: [server, locks],
    };
  }
}

function checkOwn(own: object, redis: unknown): void {
  if ('connection' in own) {
    throw new LockOptionsError(`${WHERE}: connection is that of the embedded server; give a server as redis.`);
  }
  if (redis !== undefined && !(redis instanceof EmbeddedRedis)) {
    throw new LockOptionsError(`${WHERE}: redis must be what EmbeddedRedis.start() resolves to.`);
  }
  checkModuleOptions(own, WHERE);
}

function warn({ logger }: Pick<RedisLockTestingOptions, 'logger'>): void {
  if (logger !== false)
    (logger ?? new Logger('RedisLock')).warn(`RedisLockTestingModule in production: ${ONE_PROCESS}.`);
}

function servedLocks(name: string | undefined, own: boolean): Provider {
  return {
    provide: ServedLocks,
    useFactory: (redis: EmbeddedRedis, locks: LockService) => new ServedLocks(redis, own, locks),
    inject: [EmbeddedRedis, getLockServiceToken(name)],
  };
}
