import { Redis } from 'ioredis';
import { loadPeer } from './load.mjs';

const TTL = 10_000;

/**
 * @param {string} url
 * @param {{ options?: object }} settings
 * @returns {Promise<import('./types.mjs').Connected>}
 */
export async function connect(url, { options }) {
  const Redlock = loadPeer('redlock4');
  const redis = new Redis(url);
  await redis.ping();
  const redlock = new Redlock([redis], options);
  redlock.on('clientError', () => undefined);
  return {
    withLock: async (key, task) => {
      const lock = await redlock.lock(key, TTL);
      try {
        await task();
      } finally {
        await lock.unlock();
      }
    },
    close: () => redis.quit(),
  };
}
