import { Redis } from 'ioredis';
import { loadPeer } from './load.mjs';

/**
 * @param {string} url
 * @param {{ options: object }} settings
 * @returns {Promise<import('./types.mjs').Connected>}
 */
export async function connect(url, { options }) {
  const { Mutex, Semaphore } = loadPeer('redis-semaphore');
  const redis = new Redis(url);
  await redis.ping();
  const within = async (/** @type {any} */ lock, /** @type {import('./types.mjs').Task} */ task) => {
    await lock.acquire();
    try {
      await task();
    } finally {
      await lock.release();
    }
  };
  return {
    withLock: (key, task) => within(new Mutex(redis, key, options), task),
    withPermit: (key, limit, task) => within(new Semaphore(redis, key, limit, options), task),
    close: () => redis.quit(),
  };
}
