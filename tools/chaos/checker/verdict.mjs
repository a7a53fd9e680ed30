/** @import { Group } from '../nemeses/types.mjs' */
/** @import { Mutant } from '../types.mjs' */

/**
 * @typedef {object} Figures of one run
 * @property {number} faults
 * @property {number} rate events in a second before the first fault
 * @property {number} acquires
 * @property {number} busy
 * @property {number} unavailable
 * @property {number} overlaps
 * @property {string[]} examples of overlaps, for the reader
 * @property {number} untold overlaps of which the one who lost its lock never heard
 * @property {number} losses leases that were lost and told of
 * @property {number} writes
 * @property {number} refused
 * @property {number} stale writes that were accepted
 * @property {number} falling fences
 * @property {number} gap the longest without an acquire of a key, ms
 * @property {number | null} recovery from the last heal to the last lock that was had again, ms; null: not all were
 * @property {number} recoveryBound
 * @property {number} gapBound
 * @property {string[]} leftovers keys that stayed
 * @property {string[]} endless keys without an end
 * @property {string[]} problems whatever else went wrong: rejections, errors, ends, repeated lines
 *
 * @typedef {object} Expectations
 * @property {Group} group
 * @property {boolean} idle no fault is made
 * @property {boolean} everyReplica must have a lock before a caller gets it
 * @property {Mutant} [mutant]
 */

/** Below, a run says nothing. */
export const LEAST_RATE = 40;
export const LEAST_FAULTS = 3;

/**
 * @param {Figures} figures
 * @param {Expectations} expected
 * @returns {string[]} what is wrong; nothing is what it should be
 */
export function judge(figures, expected) {
  const { faults, rate, acquires, writes, recovery, recoveryBound } = figures;
  if (rate < LEAST_RATE) return [`only ${rate.toFixed(0)} events/s before the first fault, less than ${LEAST_RATE}`];
  if (acquires === 0 || writes === 0) return ['nobody got in'];
  if (!expected.idle && faults < LEAST_FAULTS) return [`only ${faults} faults, less than ${LEAST_FAULTS}`];
  if (expected.mutant) return judgeMutant(figures, expected.mutant);
  const wrong = expected.group === 'C' ? outside(figures) : inside(figures, expected);
  if (recovery === null) wrong.push('some locks were not to be had after the last fault');
  else if (recovery > recoveryBound) wrong.push(`a lock was had ${recovery.toFixed(0)} ms after the last fault`);
  if (figures.gap > figures.gapBound) wrong.push(`nobody entered a lock for ${figures.gap.toFixed(0)} ms`);
  if (figures.leftovers.length > 0) wrong.push(`left behind: ${figures.leftovers.slice(0, 5).join(' ')}`);
  if (figures.endless.length > 0) wrong.push(`without an end: ${figures.endless.slice(0, 5).join(' ')}`);
  return [...wrong, ...figures.problems.slice(0, 5)];
}

/**
 * @param {Figures} figures
 * @param {Expectations} expected
 */
function inside({ overlaps, stale, falling }, { group, everyReplica }) {
  const wrong = [];
  if (overlaps > 0 && (group === 'A' || everyReplica)) wrong.push(`${overlaps} overlaps`);
  if (stale > 0) wrong.push(`${stale} stale writes accepted`);
  // After a takeover the news of an older grant may come when a newer one was given back already: an overlap that is late.
  if (falling > 0 && (group === 'A' || everyReplica)) wrong.push(`${falling} fences did not rise`);
  return wrong;
}

/** @param {Figures} figures */
function outside({ overlaps, losses, untold }) {
  const wrong = [];
  if (overlaps === 0 && losses === 0) wrong.push('this fault must show, and nothing was seen: the checker is blind');
  if (untold > 0) wrong.push(`${untold} holders were never told`);
  return wrong;
}

/**
 * @param {Figures} figures
 * @param {Mutant} mutant
 */
function judgeMutant({ overlaps, stale }, mutant) {
  const seen = mutant === 'no-fence' ? stale : overlaps;
  return seen > 0 ? [] : [`the mutant ${mutant} was not found: the checker is blind`];
}
