/** @import { Hold } from './holds.mjs' */

/**
 * @typedef {object} Overlap
 * @property {Hold} hold the one that was too many
 * @property {Hold[]} others who were in at that moment
 */

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => string} keyOf
 * @returns {T[][]}
 */
export function byKey(items, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}

/**
 * @param {readonly Hold[]} holds in the order of entering
 * @returns {Overlap[]} entries where as many as may were in already
 */
export function findOverlaps(holds) {
  return byKey(holds, ({ key }) => key).flatMap((ofKey) => {
    /** @type {Hold[]} */
    let inside = [];
    return ofKey.flatMap((hold) => {
      inside = inside.filter(({ end }) => end > hold.entered);
      const others = inside;
      if (hold.end > hold.entered) inside = [...inside, hold];
      return others.length >= hold.limit ? [{ hold, others }] : [];
    });
  });
}

/**
 * @param {readonly Overlap[]} overlaps
 * @returns {Overlap[]} those of which too few of the others ever heard
 */
export function findUntold(overlaps) {
  return overlaps.filter(({ hold, others }) => {
    const told = others.filter((other) => other.told).length;
    return told < others.length - hold.limit + 1;
  });
}

/**
 * @param {readonly Hold[]} holds in the order of entering
 * @returns {Hold[]} holds of a lock whose fence is not above those of all that had ended before
 */
export function findFallingFences(holds) {
  const ofLocks = holds.filter(({ limit }) => limit === 1);
  return byKey(ofLocks, ({ key }) => key).flatMap((ofKey) => {
    const ended = ofKey.toSorted((a, b) => a.end - b.end);
    let next = 0;
    let highest = -Infinity;
    return ofKey.filter((hold) => {
      for (; ended[next] && /** @type {Hold} */ (ended[next]).end <= hold.entered; next += 1) {
        if (ended[next] !== hold) highest = Math.max(highest, /** @type {Hold} */ (ended[next]).fence);
      }
      return hold.fence <= highest;
    });
  });
}
