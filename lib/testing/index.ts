export { bindLockService } from './bind-lock-service.js';
export { EmbeddedRedis, type EmbeddedRedisOptions } from './embedded/embedded-redis.js';
export { passThroughLockService } from './pass-through/pass-through-lock-service.js';
export { RedisLockTestingModule } from './redis-lock-testing.module.js';
export type { RedisLockTestingOptions } from './testing-options.interface.js';
