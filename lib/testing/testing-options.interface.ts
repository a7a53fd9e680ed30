import type { RedisLockModuleExtras, RedisLockModuleOptions } from '../interfaces/module-options.interface.js';
import type { EmbeddedRedis, EmbeddedRedisOptions } from './embedded/embedded-redis.js';

/**
 * Options of `RedisLockTestingModule`: those of `RedisLockModule` but for the connection, and what concerns the embedded
 * server.
 *
 * @publicApi
 */
export interface RedisLockTestingOptions
  extends Omit<RedisLockModuleOptions, 'connection'>, RedisLockModuleExtras, EmbeddedRedisOptions {
  /**
   * The server to use, for tests in which several applications stand for several processes. It is not stopped with the
   * application, and `now` is its own then.
   *
   * @default one of its own, started and stopped with the application
   */
  redis?: EmbeddedRedis;
}
