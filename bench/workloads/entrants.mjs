import { contender, CONTENDERS } from '../contenders/index.mjs';

/**
 * @import { Contender } from '../contenders/types.mjs'
 * @import { Bench, Load } from '../measure/types.mjs'
 * @import { Entrant } from '../measure/compete.mjs'
 */

/**
 * @param {readonly string[]} ids
 * @param {Load} load
 * @returns {Entrant[]}
 */
export const entrants = (ids, load) => ids.map((id) => ({ contender: contender(id), load }));

/** In a short run too: it waits so long between two tries that who holds the lock mostly gets it again, which makes a rate. */
const GREEDY = 'redis-semaphore-default';

/**
 * The peers at their best, and in a full run all of them also at their defaults.
 *
 * @param {Bench} bench
 * @param {Load} load
 * @param {(contender: Contender) => boolean} [which]
 * @returns {Entrant[]}
 */
export function peers({ options }, load, which = () => true) {
  if (!options.peers) return [];
  const wanted = CONTENDERS.filter(
    ({ id, kind, tuning }) => kind === 'peer' && (options.full || tuning === 'best' || id === GREEDY),
  );
  return wanted.filter(which).map((one) => ({ contender: one, load }));
}

/** One caller that never waits: what a chain of cycles can at most reach. @returns {Entrant} */
export function lonelyRaw() {
  const load = { processes: 1, callers: 1, hold: 0, ownKeys: true };
  return { contender: contender('raw'), load, title: 'SET NX PX + compare-and-delete, 1 caller' };
}
