import { byKey } from './overlaps.mjs';

/** @import { ClientEvent } from '../types.mjs' */
/** @import { Hold } from './holds.mjs' */

/**
 * @param {Iterable<readonly ClientEvent[]>} histories
 * @param {number} from
 * @param {number} to
 * @returns {number} events in a second
 */
export function eventRate(histories, from, to) {
  let count = 0;
  for (const events of histories) count += events.filter(({ at }) => at >= from && at < to).length;
  return count / ((to - from) / 1000);
}

/**
 * @param {readonly Hold[]} holds in the order of entering
 * @param {number} from
 * @param {number} to
 * @returns {number} the longest that nobody entered a key, ms, while there was work
 */
export function worstGap(holds, from, to) {
  const gaps = byKey(holds, ({ key }) => key).map((ofKey) => {
    const moments = [from, ...ofKey.map(({ entered }) => entered).filter((at) => at > from && at < to), to];
    return Math.max(...moments.slice(1).map((at, i) => at - /** @type {number} */ (moments[i])));
  });
  return Math.max(0, ...gaps);
}
