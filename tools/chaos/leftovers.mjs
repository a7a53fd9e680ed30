import { setTimeout as sleep } from 'node:timers/promises';
import { POLL_INTERVAL, TTL } from './clients/workload.mjs';

/** @import { Topology } from './lab/topology.mjs' */

/** The longest that a key lives that nobody touches: that of a queue. */
const LONGEST_LIFE = Math.max(10 * POLL_INTERVAL, TTL);
const LIVES = `
  local lives = {}
  for _, key in ipairs(redis.call('KEYS', '*')) do lives[#lives + 1] = { key, redis.call('PTTL', key) } end
  return lives`;

/**
 * Waits until nothing is left in Redis, for as long as the keys of killed clients may live.
 *
 * @param {Topology} topology
 * @returns {Promise<{ leftovers: string[], endless: string[] }>} what is there all the same, and what would be for ever
 */
export async function findLeftovers(topology) {
  const endless = new Set();
  const end = performance.now() + LONGEST_LIFE + 1_500;
  for (;;) {
    const lives = await Promise.all((await topology.masters()).map((master) => master.call('EVAL', LIVES, 0)));
    const keys = /** @type {[string, number][][]} */ (lives).flat();
    for (const [key, rest] of keys) if (rest === -1) endless.add(key);
    if (keys.length === 0 || performance.now() > end) {
      return { leftovers: keys.map(([key]) => key), endless: [...endless] };
    }
    await sleep(200);
  }
}
