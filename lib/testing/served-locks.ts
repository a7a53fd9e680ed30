import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { LockService } from '../lock.service.js';
import type { EmbeddedRedis } from './embedded/embedded-redis.js';

/** Keeps a server and the locks on it in step. The service may be what a test put in its place, so it may lack anything. */
export class ServedLocks implements OnApplicationBootstrap, OnApplicationShutdown {
  /** @param own whether the server ends with the application */
  constructor(
    private readonly redis: EmbeddedRedis,
    private readonly own: boolean,
    private readonly locks: Partial<LockService>,
  ) {}

  /** An application that has started is connected. Fake timers that come later would stop a client that still connects. */
  async onApplicationBootstrap(): Promise<void> {
    await this.locks.inspect?.('nestjs-redis-lock');
  }

  /** The last work of the locks still needs the server, in whatever order Nest calls the hooks. */
  async onApplicationShutdown(): Promise<void> {
    if (!this.own) return;
    await this.locks.onApplicationShutdown?.();
    await this.redis.stop();
  }
}
