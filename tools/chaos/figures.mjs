import { TARGETS } from './clients/workload.mjs';
import { holdsOf } from './checker/holds.mjs';
import { findRepeatedLines } from './checker/logs.mjs';
import { findFallingFences, findOverlaps, findUntold } from './checker/overlaps.mjs';
import { eventRate, worstGap } from './checker/rates.mjs';
import { findStaleWrites } from './checker/writes.mjs';

/** @import { Fleet } from './clients/fleet.mjs' */
/** @import { Figures } from './checker/verdict.mjs' */
/** @import { Hold } from './checker/holds.mjs' */
/** @import { Overlap } from './checker/overlaps.mjs' */

/** A reader needs no more. */
const EXAMPLES = 5;

/**
 * @typedef {object} Course of a run, as the run itself saw it
 * @property {number} startedAt
 * @property {number} firstFaultAt
 * @property {number} healedAt
 * @property {number[]} faults when they were made
 * @property {number} recoveryBound
 * @property {number} gapBound
 * @property {{ key: string, at: number | null, reason: string }[]} probes
 * @property {string[]} leftovers
 * @property {string[]} endless
 */

/**
 * What the histories of a run say.
 *
 * @param {Fleet} fleet
 * @param {Course} course
 * @returns {Figures}
 */
export function figuresOf(fleet, course) {
  const { startedAt, firstFaultAt, healedAt, faults, recoveryBound, gapBound, probes, leftovers, endless } = course;
  const histories = fleet.histories();
  const events = [...histories.values()];
  const all = events.flat();
  const limits = new Map(TARGETS.map(({ kind, limit }) => [kind, limit]));
  const holds = holdsOf(
    histories,
    (kind) => limits.get(kind) ?? 1,
    (client) => fleet.killed.has(client),
  );
  const overlaps = findOverlaps(holds);
  const writes = fleet.writes();
  const failures = all.flatMap((event) =>
    event.e === 'unhandled' || event.e === 'failed' ? [`${event.e}: ${event.text}`] : [],
  );
  const missed = probes.flatMap(({ key, at, reason }) => (at === null ? [`${key}: ${reason}`] : []));
  /** @param {string} e */
  const count = (e) => all.filter((event) => event.e === e).length;
  return {
    faults: faults.length,
    rate: eventRate(events, startedAt, firstFaultAt),
    acquires: holds.length,
    busy: count('busy'),
    unavailable: count('unavailable'),
    overlaps: overlaps.length,
    examples: overlaps.slice(0, EXAMPLES).map((overlap) => describe(overlap, startedAt)),
    untold: findUntold(overlaps).length,
    losses: holds.filter(({ lost }) => lost).length,
    writes: writes.length,
    refused: writes.filter(({ accepted }) => !accepted).length,
    stale: findStaleWrites(writes, holds).length,
    falling: findFallingFences(holds).length,
    gap: worstGap(holds, startedAt, healedAt),
    recovery: missed.length > 0 ? null : Math.max(...probes.map(({ at }) => (at ?? 0) - healedAt)),
    recoveryBound,
    gapBound,
    leftovers,
    endless,
    problems: [...missed, ...failures, ...fleet.failures, ...events.flatMap((own) => findRepeatedLines(own, faults))],
  };
}

/**
 * @param {Overlap} overlap
 * @param {number} start all times count from there
 */
function describe({ hold, others }, start) {
  /** @param {Hold} one */
  const span = ({ client, entered, end, fence, told }) =>
    `${client} ${Math.round(entered - start)}-${Math.round(end - start)} ms, fence ${fence}${told ? ', told' : ''}`;
  return `${hold.key}: ${span(hold)} while ${others.map(span).join(' and ')}`;
}
