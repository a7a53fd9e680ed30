import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';

const TTL = 10_000;
const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[2], '')
return 1`;

/** The waiters of one key in this process. */
class Crowd {
  /** @type {Set<() => void>} */
  #sleepers = new Set();
  waiters = 0;
  /** @type {Promise<unknown> | undefined} */
  subscribed;

  wakeAll() {
    const sleepers = [...this.#sleepers];
    this.#sleepers.clear();
    for (const wake of sleepers) wake();
  }

  sleep() {
    return new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      // A message may get lost with its connection.
      const timer = setTimeout(() => {
        this.#sleepers.delete(wake);
        resolve();
      }, TTL);
      this.#sleepers.add(wake);
    });
  }
}

/**
 * A model, not a package: the sequence of commands of locks that publish each release and let all waiters try again. It has no
 * renewal, no limit of the wait and no care for errors, all of which would make it slower.
 *
 * @param {string} url
 * @returns {Promise<import('./types.mjs').Connected>}
 */
export async function connect(url) {
  const redis = new Redis(url);
  const subscriber = new Redis(url);
  const release = /** @type {string} */ (await redis.script('LOAD', RELEASE));
  const owner = randomBytes(9).toString('base64');
  let turns = 0;
  /** @type {Map<string, Crowd>} */
  const crowds = new Map();
  subscriber.on('message', (channel) => crowds.get(channel)?.wakeAll());

  const take = async (/** @type {string} */ key, /** @type {string} */ token) =>
    (await redis.set(key, token, 'PX', TTL, 'NX')) === 'OK';

  async function wait(/** @type {string} */ key, /** @type {string} */ token) {
    const channel = `free:${key}`;
    const crowd = crowds.get(channel) ?? new Crowd();
    crowds.set(channel, crowd);
    crowd.waiters += 1;
    crowd.subscribed ??= subscriber.subscribe(channel);
    await crowd.subscribed;
    for (;;) {
      // Asleep before it asks: a release in between must not be missed.
      const woken = crowd.sleep();
      if (await take(key, token)) break;
      await woken;
    }
    crowd.waiters -= 1;
  }

  return {
    withLock: async (key, task) => {
      const token = `${owner}:${(turns += 1)}`;
      if (!(await take(key, token))) await wait(key, token);
      try {
        await task();
      } finally {
        await redis.evalsha(release, 1, key, token, `free:${key}`);
      }
    },
    close: () => Promise.all([redis.quit(), subscriber.quit()]),
  };
}
