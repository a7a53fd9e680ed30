import { percentile } from './statistics.mjs';

/**
 * @param {import('./server-counters.mjs').ServerCounters} counters
 * @returns {Promise<number>} p50 of PING with nothing else going on, ms
 */
export async function roundTrip({ client }) {
  /** @type {number[]} */
  const took = [];
  for (let i = 0; i < 500; i += 1) {
    const at = performance.now();
    await client.ping();
    took.push(performance.now() - at);
  }
  return percentile(took.slice(100), 0.5);
}
