import { Redis } from 'ioredis';
import { loadPeer } from './load.mjs';

const TTL = 10_000;

/**
 * `redlock` 5, and its fork that has the same methods. `acquire` and `release`, which are cheaper than `using`: they do not renew.
 *
 * @param {string} url
 * @param {{ package: string, options?: object }} settings
 * @returns {Promise<import('./types.mjs').Connected>}
 */
export async function connect(url, { package: name, options }) {
  const peer = loadPeer(name);
  const Redlock = peer.default ?? peer.Redlock;
  const redis = new Redis(url);
  await redis.ping();
  const redlock = new Redlock([redis], options);
  return {
    withLock: async (key, task) => {
      const lock = await redlock.acquire([key], TTL);
      try {
        await task();
      } finally {
        await lock.release();
      }
    },
    close: () => redis.quit(),
  };
}
