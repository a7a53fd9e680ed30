import { afterEach } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { LockService, RedisLockModule, type RedisLockModuleOptions } from 'nestjs-redis-lock';

/** One client: for Redis it is a process of its own, with its own connections, queue entries and wake channel. */
export interface LockClient {
  locks: LockService;
  /** Ends it as an application does; done for all clients after each test. */
  close(): Promise<void>;
}

const open = new Set<LockClient>();

export async function openLocks(options: RedisLockModuleOptions): Promise<LockClient> {
  const module = RedisLockModule.forRoot({ logger: false, shutdownTimeout: 0, ...options });
  const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  const client: LockClient = {
    locks: app.get(LockService),
    close: async () => {
      open.delete(client);
      await app.close();
    },
  };
  open.add(client);
  return client;
}

afterEach(async () => {
  await Promise.all([...open].map((client) => client.close()));
});
