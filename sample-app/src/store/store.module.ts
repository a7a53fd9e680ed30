import { Global, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { settings } from '../settings.js';

/**
 * The sample's data, in Redis only because it is there: it stands for any store that several processes share. The lock
 * library opens connections of its own.
 */
@Global()
@Module({
  providers: [{ provide: Redis, useFactory: connect }],
  exports: [Redis],
})
export class StoreModule implements OnApplicationShutdown {
  constructor(private readonly redis: Redis) {}

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

function connect(): Redis {
  const logger = new Logger(StoreModule.name);
  const redis = new Redis(settings.redisUrl, { maxRetriesPerRequest: 2 });
  // ioredis goes on trying by itself, and whoever needs the store is told by a rejection.
  return redis.on('error', (error) => logger.debug(error.message));
}
