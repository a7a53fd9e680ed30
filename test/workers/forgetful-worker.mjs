// Takes a lock; when told to, drops its handle without a release, and lives on. Run with --expose-gc.
// Arguments: URL of the server, 'classic' or 'ours', lease in ms. Prints the token.
import 'reflect-metadata';
import { once } from 'node:events';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { LockService, RedisLockModule } from 'nestjs-redis-lock';

const [url = '', algorithm, lease] = process.argv.slice(2);
const ttl = Number(lease);

/** A lock whose timer keeps it alive, and with it the handle. */
class ClassicLock {
  redis = new Redis(url);
  token = 'classic';

  async acquire() {
    await this.redis.set('lock:report', this.token, 'PX', ttl, 'NX');
    setInterval(() => void this.redis.pexpire('lock:report', ttl), ttl / 3);
    return this;
  }
}

async function acquireOurs() {
  const module = RedisLockModule.forRoot({ connection: url, logger: false });
  const app = await NestFactory.createApplicationContext(module, {
    logger: false,
  });
  return app.get(LockService).acquire('report', { ttl });
}

const take = () => (algorithm === 'ours' ? acquireOurs() : new ClassicLock().acquire());
/** All that refers to the handle. */
const handles = new Set([await take()]);
for (const { token } of handles) {
  console.log(token);
}
setInterval(() => globalThis.gc?.(), 100);
await once(process.stdin, 'data');
handles.clear();
