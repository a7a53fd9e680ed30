import { Injectable, Module } from '@nestjs/common';
import type { RedisLockModuleOptions, RedisLockOptionsFactory } from 'nestjs-redis-lock';

/** Knows where Redis is, but only when the application runs. */
@Injectable()
export class Config implements RedisLockOptionsFactory {
  static options: RedisLockModuleOptions = {};

  createRedisLockOptions(): Promise<RedisLockModuleOptions> {
    return Promise.resolve(Config.options);
  }
}

@Module({ providers: [Config], exports: [Config] })
export class ConfigModule {}
