import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';

export const RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

/**
 * The cheapest lock there is on one server, and no waiting: what a lock library can at most reach with a call for each step.
 *
 * @param {string} url
 * @param {{ client?: import('ioredis').RedisOptions }} settings
 * @returns {Promise<import('./types.mjs').Connected>}
 */
export async function connect(url, { client = {} }) {
  const redis = new Redis(url, client);
  const release = /** @type {string} */ (await redis.script('LOAD', RELEASE));
  const owner = randomBytes(9).toString('base64');
  let turns = 0;
  return {
    withLock: async (key, task) => {
      const token = `${owner}:${(turns += 1)}`;
      if ((await redis.set(key, token, 'PX', 10_000, 'NX')) !== 'OK') throw new Error(`${key} is busy`);
      try {
        await task();
      } finally {
        await redis.evalsha(release, 1, key, token);
      }
    },
    close: () => redis.quit(),
  };
}
