import { Redis } from 'ioredis';

/**
 * No lock: one empty command for each call.
 *
 * @param {string} url
 * @param {{ client?: import('ioredis').RedisOptions }} settings
 * @returns {Promise<import('./types.mjs').Connected>}
 */
export async function connect(url, { client = {} }) {
  const redis = new Redis(url, client);
  await redis.ping();
  return {
    withLock: async (_key, task) => {
      await redis.ping();
      await task();
    },
    close: () => redis.quit(),
  };
}
