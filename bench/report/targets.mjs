import { bestPeerOf, limitOf } from './table.mjs';

/**
 * @import { Result, Row } from '../measure/types.mjs'
 *
 * @typedef {object} Target
 * @property {string} workload
 * @property {string} text
 * @property {'at least' | 'at most' | 'exactly'} how
 * @property {number} bound
 * @property {(result: Result) => number} of NaN where the run has no figure for it
 */

/** @param {Result} result @param {string} id */
const figures = (result, id) => result.rows.find(({ contender }) => contender.id === id)?.figures;

/** @param {Result} result @param {string} id */
const rate = (result, id) => figures(result, id)?.rate ?? NaN;

/** @param {string} id @returns {(result: Result) => number} */
const fact = (id) => (result) => result.facts.find((one) => one.id === id)?.value ?? NaN;

/** @param {string} id @returns {(result: Result) => number} */
const againstLimit = (id) => (result) => rate(result, id) / limitOf(result.rows);

/** @param {string} id @returns {(result: Result) => number} */
const againstPeers = (id) => (result) => rate(result, id) / (bestPeerOf(result.rows).rate || NaN);

/**
 * @param {string} workload
 * @param {string} text
 * @param {Target['how']} how
 * @param {number} bound
 * @param {Target['of']} of
 * @returns {Target}
 */
const target = (workload, text, how, bound, of) => ({ workload, text, how, bound, of });

/** @param {string} workload @param {string} id @param {string} name @returns {Target[]} */
const soundness = (workload, id, name) => [
  target(workload, `${name}: Jain's index`, 'at least', 0.99, (result) => figures(result, id)?.jain ?? NaN),
  target(workload, `${name}: overlaps`, 'exactly', 0, (result) => figures(result, id)?.violations ?? NaN),
  target(workload, `${name}: failures`, 'exactly', 0, (result) => figures(result, id)?.failures ?? NaN),
];

/** What is to be reached; a figure that is not is printed as missed. @type {readonly Target[]} */
export const TARGETS = [
  target('uncontended-1', '@WithLock / raw', 'at least', 0.8, againstLimit('ours')),
  target('uncontended-1', 'background release / raw', 'at least', 1.5, againstLimit('ours-background')),
  target('uncontended-64', '@WithLock / the faster raw', 'at least', 1.2, againstLimit('ours')),
  target('uncontended-512', '@WithLock / the faster raw', 'at least', 1.2, againstLimit('ours')),
  ...['hot-1x8', 'hot-1x64', 'hot-4x8'].flatMap((workload) => [
    target(workload, '@WithLock / best peer', 'at least', 12, againstPeers('ours')),
    ...soundness(workload, 'ours', '@WithLock'),
  ]),
  target(
    'hot-4x8',
    '@WithLock: commands per operation',
    'at most',
    0.15,
    (result) => figures(result, 'ours')?.commands ?? NaN,
  ),
  // 2.0 to one decimal: the heartbeats of the processes are among them.
  target(
    'hot-4x8',
    '@FairLock: commands per operation',
    'at most',
    2.049,
    (result) => figures(result, 'ours-fair')?.commands ?? NaN,
  ),
  ...soundness('hot-4x8', 'ours-fair', '@FairLock'),
  target('fair-hand-off', '@FairLock: hand-off / (half a release + message)', 'at most', 1.3, fact('ratio')),
  target('semaphore', '@Semaphore / best peer', 'at least', 1.5, againstPeers('ours')),
  ...soundness('semaphore', 'ours', '@Semaphore'),
  target('distance', '@FairLock: hand-off, round trips', 'at most', 1.2, fact('ours-fair')),
  target('distance', '@WithLock: hand-off, round trips', 'at most', 1.2, fact('ours')),
  target('idle-waiters', '@WithLock: commands per process and poll interval', 'at most', 1, fact('ours-commands')),
  target('idle-waiters', '@WithLock: last one served after, ms', 'at most', 100, fact('ours-last')),
  target('idle-waiters', '@WithLock: served', 'exactly', 200, fact('ours-served')),
  target('waiters', 'server time of a cycle, 10,000 / 10 callers', 'at most', 1.3, fact('cpu')),
  target('renewals', 'commands per 100 leases and period', 'at most', 1, fact('commands')),
  target('renewals', 'still held', 'exactly', 10_000, fact('held')),
  target('decorated', 'what the decorator adds, us', 'at most', 5, fact('over')),
  ...['lock', 'semaphore'].flatMap((kind) => [
    target('footprint', `${kind}: keys while held`, 'at most', 1, fact(`ours-${kind}-keys`)),
    target('footprint', `${kind}: MEMORY USAGE, bytes`, 'at most', 200, fact(`ours-${kind}-bytes`)),
    target('footprint', `${kind}: keys after`, 'exactly', 0, fact(`ours-${kind}-left`)),
  ]),
  // What a collector leaves lying about.
  target('memory', 'heap after 100,000 keys, kB', 'at most', 1024, fact('growth')),
  target('memory', 'heap per waiting caller, bytes', 'at most', 2000, fact('waiter')),
];

/**
 * @param {Target} one
 * @param {number} value
 */
export function isReached({ how, bound }, value) {
  if (how === 'exactly') return value === bound;
  return how === 'at least' ? value >= bound : value <= bound;
}

/**
 * @param {readonly Result[]} results
 * @param {readonly Target[]} [targets]
 */
export function judge(results, targets = TARGETS) {
  return targets.flatMap((one) => {
    const result = results.find(({ id }) => id === one.workload);
    if (result === undefined) return [];
    const value = one.of(result);
    const verdict = Number.isNaN(value) ? 'not measured' : isReached(one, value) ? 'reached' : 'missed';
    return [{ ...one, value, verdict }];
  });
}
