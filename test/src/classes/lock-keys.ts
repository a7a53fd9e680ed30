import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { WithLock } from 'nestjs-redis-lock';

/** Tells which keys Redis has while its lock is held. */
@Injectable()
export class LockKeys {
  constructor(@Inject('redis') private readonly redis: Redis) {}

  @WithLock('k')
  async keys(): Promise<string[]> {
    return this.redis.keys('*');
  }
}

/** Is closed to changes as soon as it is made. */
@Injectable()
export class FrozenLockKeys extends LockKeys {
  constructor(@Inject('redis') redis: Redis) {
    super(redis);
    Object.freeze(this);
  }
}
