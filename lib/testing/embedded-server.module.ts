import { Module, type DynamicModule } from '@nestjs/common';
import { EmbeddedRedis, type EmbeddedRedisOptions } from './embedded/embedded-redis.js';

/** Has the server of one `RedisLockTestingModule`. */
@Module({})
export class EmbeddedServerModule {
  /** @param given server of the application's own */
  static forRoot(given: EmbeddedRedis | undefined, options: EmbeddedRedisOptions, global: boolean): DynamicModule {
    return {
      module: EmbeddedServerModule,
      global,
      providers: [{ provide: EmbeddedRedis, useFactory: () => given ?? EmbeddedRedis.start(options) }],
      exports: [EmbeddedRedis],
    };
  }
}
