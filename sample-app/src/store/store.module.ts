import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { settings } from '../settings.js';

/**
 * The sample's data, in Redis only because it is there: it stands for any store that several processes share. The lock
 * library opens connections of its own.
 */
@Global()
@Module({
  providers: [{ provide: Redis, useFactory: () => new Redis(settings.redisUrl, { maxRetriesPerRequest: 2 }) }],
  exports: [Redis],
})
export class StoreModule implements OnApplicationShutdown {
  constructor(private readonly redis: Redis) {}

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
