import { now } from '../measure/clock.mjs';

/**
 * Callers that wait for a lock, each once.
 *
 * @param {import('../measure/worker-process.mjs').Place} place
 * @param {{ key: string, count: number }} order
 * @returns {Promise<{ begins: number[], failures: number }>} when each of them was served
 */
export async function run({ contender }, { key, count }) {
  /** @type {number[]} */
  const begins = [];
  const task = () => void begins.push(now());
  const all = Array.from({ length: count }, async () => contender.withLock(key, task));
  const ends = await Promise.allSettled(all);
  return { begins, failures: ends.filter(({ status }) => status === 'rejected').length };
}
