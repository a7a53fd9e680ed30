import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { checkExtras } from './check-extras.js';
import type {
  RedisLockModuleAsyncOptions,
  RedisLockModuleExtras,
  RedisLockModuleOptions,
} from './interfaces/module-options.interface.js';
import { checkModuleOptions } from './options/check-module-options.js';
import { ConfigurableModuleClass } from './redis-lock.module-definition.js';

/**
 * Locks on Redis. Import it once, in the root module; the service and the decorators then work in all modules.
 *
 * @publicApi
 */
@Module({ imports: [DiscoveryModule] })
export class RedisLockModule extends ConfigurableModuleClass {
  /**
   * @example
   * ```ts
   * RedisLockModule.forRoot({ connection: 'redis://localhost:6379', defaults: { wait: '2s' } })
   * ```
   * @throws LockOptionsError naming the option that is wrong
   */
  static override forRoot(options: RedisLockModuleOptions & RedisLockModuleExtras = {}): DynamicModule {
    const { name, isGlobal, ...own } = options;
    checkExtras({ name, isGlobal }, 'RedisLockModule.forRoot');
    checkModuleOptions(own, 'RedisLockModule.forRoot');
    return super.forRoot(options);
  }

  /**
   * For options that are known only when the application starts. `name` and `isGlobal` stand beside the factory.
   *
   * @example
   * ```ts
   * RedisLockModule.forRootAsync({
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => ({ connection: config.getOrThrow('REDIS_URL') }),
   * })
   * ```
   */
  static override forRootAsync(options: RedisLockModuleAsyncOptions): DynamicModule {
    checkExtras(options, 'RedisLockModule.forRootAsync');
    return super.forRootAsync(options);
  }
}
