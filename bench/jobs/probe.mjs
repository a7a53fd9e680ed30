import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { now } from '../measure/clock.mjs';

/** Between two messages: seldom enough not to be a load, ms. */
const PAUSE = 8;

/**
 * What a message costs while other jobs run here: from this process to the next one of the ring, and for it from the one before.
 *
 * @param {import('../measure/worker-process.mjs').Place} place
 * @param {{ ring: string, index: number, processes: number, from: number, until: number }} order
 * @returns {Promise<{ hops: number[], publishes: number[], pings: number[] }>} ms each: from the call of PUBLISH to the
 *   message; from the call to its own reply
 */
export async function run({ url }, { ring, index, processes, from, until }) {
  const publisher = new Redis(url);
  const subscriber = new Redis(url);
  /** @type {number[]} */
  const hops = [];
  /** @type {number[]} */
  const publishes = [];
  /** @type {number[]} */
  const pings = [];
  subscriber.on('message', (_channel, sent) => void hops.push(now() - Number(sent)));
  await subscriber.subscribe(`${ring}:${index}`);
  await publisher.ping();
  await sleep(Math.max(0, from - now()));
  while (now() < until) {
    const sent = now();
    await publisher.publish(`${ring}:${(index + 1) % processes}`, `${sent}`);
    publishes.push(now() - sent);
    const asked = now();
    await publisher.ping();
    pings.push(now() - asked);
    await sleep(PAUSE * (0.5 + Math.random()));
  }
  await sleep(PAUSE);
  await Promise.all([publisher.quit(), subscriber.quit()]);
  return { hops, publishes, pings };
}
