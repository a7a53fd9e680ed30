// Takes a lock, drops its handle without a release, and lives on. Run with --expose-gc.
// Arguments: URL of the server, 'classic' or 'ours'. Prints 'forgotten' when the handle is dropped.
import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { LockService, RedisLockModule } from 'nestjs-redis-lock';

const [url = '', algorithm] = process.argv.slice(2);
const LEASE = 300;

/** A lock whose timer keeps it alive, and with it the handle. */
class ClassicLock {
  redis = new Redis(url);

  async acquire() {
    await this.redis.set('lock:report', 'classic', 'PX', LEASE, 'NX');
    setInterval(() => this.redis.pexpire('lock:report', LEASE), LEASE / 5);
    return this;
  }
}

async function acquireOurs() {
  const app = await NestFactory.createApplicationContext(RedisLockModule.forRoot({ connection: url, logger: false }), {
    logger: false,
  });
  return app.get(LockService).acquire('report', { ttl: LEASE });
}

/** @type {WeakRef<object>} */
let handle;
async function takeAndForget() {
  const taken = algorithm === 'ours' ? await acquireOurs() : await new ClassicLock().acquire();
  handle = new WeakRef(taken);
}

await takeAndForget();
console.log('forgotten');
for (;;) {
  await sleep(20);
  globalThis.gc?.();
}
