import { Redis } from 'ioredis';
import { loadPeer } from './load.mjs';

const DURATION = 5_000;

/**
 * `using` of its service, which is what `@Redlock` calls.
 *
 * @param {string} url
 * @param {{ settings?: object }} settings
 * @returns {Promise<import('./types.mjs').Connected>}
 */
export async function connect(url, { settings }) {
  loadPeer('reflect-metadata');
  const { NestFactory } = loadPeer('@nestjs/core');
  const { RedlockModule, RedlockService } = loadPeer('@anchan828/nest-redlock');
  const redis = new Redis(url);
  await redis.ping();
  const app = await NestFactory.createApplicationContext(RedlockModule.register({ clients: [redis], settings }), {
    logger: false,
  });
  const locks = app.get(RedlockService);
  return {
    withLock: (key, task) => locks.using([key], DURATION, {}, async () => task()),
    // It quits the client that it was given.
    close: () => app.close(),
  };
}
