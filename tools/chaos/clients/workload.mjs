// What the clients do: short and long sections of locks, fair locks and semaphores, and holders that never come back.

/** @import { Kind, Target } from '../types.mjs' */

/** Lease of a lock, ms. Long holds outlast it and are renewed. */
export const TTL = 1_500;
export const HANDOFF_TTL = 800;
export const POLL_INTERVAL = 600;
export const COMMAND_TIMEOUT = 1_000;
export const REPLICA_TIMEOUT = 500;
export const WAIT = 4_000;
/** Between two looks at the lease and two writes to the resource. */
export const STEP = 25;

/** @type {readonly [Kind, number, number][]} kind, how many keys, limit */
const KEYS = [
  ['lock', 10, 1],
  ['fair', 6, 1],
  ['semaphore', 6, 2],
];

/** @type {Target[]} */
export const TARGETS = KEYS.flatMap(([kind, count, limit]) =>
  Array.from({ length: count }, (_, i) => ({ kind, key: `${kind}-${i}`, limit })),
);

/**
 * @typedef {object} Plan
 * @property {number} length of the hold, ms
 * @property {boolean} vanishes
 * @property {boolean} tries without waiting
 */

/** @returns {Plan} */
export function planHold() {
  const chance = Math.random();
  const tries = Math.random() < 0.15;
  if (chance < 0.1) return { length: 0, vanishes: true, tries };
  if (chance < 0.16) return { length: TTL + Math.random() * TTL, vanishes: false, tries };
  if (chance < 0.4) return { length: 50 + Math.random() * 300, vanishes: false, tries };
  return { length: Math.random() * 15, vanishes: false, tries };
}
