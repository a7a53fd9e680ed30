import { Redis } from 'ioredis';
import { loadPeer } from './load.mjs';

/**
 * @param {string} url
 * @param {{ options?: object }} settings
 * @returns {Promise<import('./types.mjs').Connected>}
 */
export async function connect(url, { options }) {
  const { createLock, IoredisAdapter } = loadPeer('redlock-universal');
  const redis = new Redis(url);
  await redis.ping();
  const adapter = new IoredisAdapter(redis);
  /** One lock object for each key, as its documentation shows. @type {Map<string, any>} */
  const locks = new Map();
  const lockOf = (/** @type {string} */ key) => {
    let lock = locks.get(key);
    if (lock === undefined) locks.set(key, (lock = createLock({ adapter, key, ...options })));
    return lock;
  };
  return {
    withLock: async (key, task) => {
      const lock = lockOf(key);
      const handle = await lock.acquire();
      try {
        await task();
      } finally {
        await lock.release(handle);
      }
    },
    close: () => redis.quit(),
  };
}
