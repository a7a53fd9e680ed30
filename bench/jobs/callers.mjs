import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../measure/clock.mjs';
import { profiled } from '../measure/profile.mjs';

/**
 * @typedef {object} CallersOrder
 * @property {string} key
 * @property {boolean} ownKeys each caller has a key of its own, after this one
 * @property {number} [limit] of a semaphore
 * @property {number} callers
 * @property {number} hold ms inside the section
 * @property {number} begin when to begin, on the clock of the machine
 * @property {number} from when to begin to count
 * @property {number} until
 * @property {boolean} log whether sections are wanted one by one
 * @property {boolean} [profile] say where the time goes
 * @property {boolean} [abort] those who still wait at the end leave, rather than being served
 *
 * @typedef {object} CallersResult
 * @property {number[]} counts sections that began in the time that counts, by caller
 * @property {number} total sections, those before and after included
 * @property {Float64Array} begins
 * @property {Float64Array} ends when the section ended, which is when its release was called
 * @property {Float64Array} releases how long each release took
 * @property {number} longestWait ms
 * @property {number} failures
 * @property {string} [failure] the first one
 * @property {number} cpu ms, of the whole job
 * @property {import('../measure/profile.mjs').Hot[]} [hot] if the profile was asked for
 */

/**
 * Callers that take a lock, work, give it back, and come again at once.
 *
 * @param {import('../measure/worker-process.mjs').Place} place
 * @param {CallersOrder} order
 * @returns {Promise<CallersResult>}
 */
export async function run(place, order) {
  if (!order.profile) return work(place, order);
  const { result, hot } = await profiled(() => work(place, order));
  return { ...result, hot };
}

/**
 * @param {import('../measure/worker-process.mjs').Place} place
 * @param {CallersOrder} order
 * @returns {Promise<CallersResult>}
 */
async function work({ contender }, { key, ownKeys, limit, callers, hold, begin, from, until, log, abort }) {
  /** @type {number[]} */
  const begins = [];
  /** @type {number[]} */
  const ends = [];
  /** @type {number[]} */
  const releases = [];
  const counts = Array.from({ length: callers }, () => 0);
  const leave = abort ? new AbortController() : undefined;
  let total = 0;
  let longestWait = 0;
  let failures = 0;
  /** @type {string | undefined} */
  let failure;

  async function caller(/** @type {number} */ i) {
    const own = ownKeys ? `${key}:${process.pid}:${i}` : key;
    let asked = 0;
    let ended = 0;
    const note = (/** @type {number} */ at) => {
      total += 1;
      if (at < from || at >= until) return;
      counts[i] = (counts[i] ?? 0) + 1;
      if (at - asked > longestWait) longestWait = at - asked;
    };
    const finish = (/** @type {number} */ at) => {
      ended = now();
      if (!log) return;
      begins.push(at);
      ends.push(ended);
    };
    const task =
      hold > 0
        ? async () => {
            const at = now();
            note(at);
            if (at < until) await sleep(hold);
            finish(at);
          }
        : () => {
            const at = now();
            note(at);
            finish(at);
          };
    const once =
      limit === undefined
        ? () => contender.withLock(own, task, leave?.signal)
        : () => /** @type {NonNullable<typeof contender.withPermit>} */ (contender.withPermit)(own, limit, task);
    while ((asked = now()) < until) {
      try {
        await once();
        if (log) releases.push(now() - ended);
      } catch (error) {
        if (leave?.signal.aborted) return;
        failures += 1;
        failure ??= error instanceof Error ? error.message : String(error);
        // Who fails at once would never let anything else run.
        await sleep(1);
      }
    }
  }

  await sleep(Math.max(0, begin - now()));
  const cpu = process.cpuUsage();
  const timer = setTimeout(() => leave?.abort(new Error('the time is over')), until - now());
  await Promise.all(counts.map((_, i) => caller(i)));
  clearTimeout(timer);
  const used = process.cpuUsage(cpu);
  return {
    counts,
    total,
    begins: Float64Array.from(begins),
    ends: Float64Array.from(ends),
    releases: Float64Array.from(releases),
    longestWait,
    failures,
    ...(failure === undefined ? {} : { failure }),
    cpu: (used.user + used.system) / 1000,
  };
}
