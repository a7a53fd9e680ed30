// What the recorded data says. Pure functions: entries in, a verdict with its
// figures out. An empty record never passes.

/** @import { JournalEntry } from '../../sample-app/src/journal/journal-entry.interface.js' */

/**
 * @typedef {object} Section one pass through a guarded piece of code
 * @property {number} pid
 * @property {number} enter ms on the clock that all processes share
 * @property {number} leave Infinity when the process never said so
 * @property {number | null} fence
 * @property {number | null} arrival
 *
 * @typedef {object} Verdict
 * @property {boolean} ok
 * @property {string} figures
 */

/**
 * @param {readonly JournalEntry[]} entries
 * @param {string} name
 * @returns {Section[]} in the order of entering
 */
export function sectionsOf(entries, name) {
  const own = entries.filter((entry) => entry.section === name);
  const leaves = new Map(own.filter(({ event }) => event === 'leave').map((entry) => [passOf(entry), entry.at]));
  return own
    .filter(({ event }) => event === 'enter')
    .map((entry) => ({
      pid: entry.pid,
      enter: entry.at,
      leave: leaves.get(passOf(entry)) ?? Infinity,
      fence: entry.fence ?? null,
      arrival: entry.arrival ?? null,
    }))
    .sort((a, b) => a.enter - b.enter);
}

/** @param {JournalEntry} entry */
const passOf = ({ pid, pass }) => `${pid}/${pass}`;

/** @param {readonly { pid: number }[]} items */
const processesIn = (items) => new Set(items.map(({ pid }) => pid)).size;

/**
 * @param {readonly Section[]} sections
 * @returns {number} how many were inside at the busiest moment
 */
export function mostAtOnce(sections) {
  const steps = sections
    .flatMap(({ enter, leave }) => [
      { at: enter, change: 1 },
      { at: leave, change: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.change - b.change);
  let inside = 0;
  return steps.reduce((most, { change }) => Math.max(most, (inside += change)), 0);
}

/**
 * @param {readonly Section[]} sections in the order of entering
 * @returns {number} how many entered before all earlier ones had left
 */
export function countOverlaps(sections) {
  let freeAt = -Infinity;
  let overlaps = 0;
  for (const { enter, leave } of sections) {
    if (enter < freeAt) overlaps += 1;
    freeAt = Math.max(freeAt, leave);
  }
  return overlaps;
}

/**
 * @param {readonly Section[]} sections
 * @param {number} expected how many there must be
 * @returns {Verdict}
 */
export function oneAtATime(sections, expected) {
  const overlaps = countOverlaps(sections);
  const processes = processesIn(sections);
  return {
    ok: overlaps === 0 && sections.length === expected && expected > 1 && processes > 1,
    figures: `${sections.length} of ${expected} sections in ${processes} processes, ${overlaps} overlaps`,
  };
}

/**
 * @param {readonly Section[]} sections
 * @param {number} limit
 * @param {number} expected how many there must be
 * @returns {Verdict}
 */
export function neverMoreThan(sections, limit, expected) {
  const most = mostAtOnce(sections);
  return {
    // One at a time would be within the limit too, but no proof of a semaphore.
    ok: most <= limit && most > 1 && sections.length === expected,
    figures: `${sections.length} of ${expected} sections in ${processesIn(sections)} processes, at most ${most} at once`,
  };
}

/**
 * @param {readonly Section[]} sections in the order of entering
 * @returns {Verdict}
 */
export function fencesRise(sections) {
  const fences = sections.map(({ fence }) => fence);
  const falls = fences.filter((fence, index) => {
    const before = index === 0 ? 0 : fences[index - 1];
    return fence === null || fence <= (before ?? Infinity);
  }).length;
  return {
    ok: falls === 0 && fences.length > 1,
    figures:
      falls === 0
        ? `${fences.length} fences, each higher than the one before`
        : `${falls} of ${fences.length} fences missing or not higher than the one before`,
  };
}

/**
 * @param {readonly Section[]} sections in the order of entering
 * @param {number} expected how many there must be
 * @returns {Verdict}
 */
export function arrivalOrderKept(sections, expected) {
  const order = sections.map(({ arrival }) => arrival);
  const kept = order.every((arrival, index) => arrival === index + 1);
  return {
    ok: kept && order.length === expected && expected > 1,
    figures: `entered in the order ${order.map((arrival) => arrival ?? '?').join(' ')}`,
  };
}

/**
 * @param {readonly JournalEntry[]} entries `tick` when a process's clock says it is time, `run` when it does the job; both
 *   with the wall-clock `time`
 * @param {object} setting
 * @param {string} setting.section
 * @param {number} setting.period ms between two ticks
 * @param {number} setting.from wall-clock ms
 * @param {number} setting.until wall-clock ms
 * @param {number} setting.processes
 * @returns {Verdict}
 */
export function oncePerTick(entries, { section, period, from, until, processes }) {
  /** @param {JournalEntry} entry */
  const due = ({ time }) => Math.round(Number(time) / period) * period;
  const jobs = entries.filter((entry) => {
    const time = due(entry);
    return entry.section === section && from <= time && time <= until;
  });
  const ticks = jobs.filter(({ event }) => event === 'tick');
  const runs = jobs.filter(({ event }) => event === 'run').map(due);
  const times = [...new Set(jobs.filter(({ event }) => event === 'tick' || event === 'run').map(due))];
  const runsPerTick = times.map((time) => runs.filter((run) => run === time).length);
  const complete = times.every((time) => processesIn(ticks.filter((tick) => due(tick) === time)) === processes);
  return {
    ok: times.length > 1 && complete && runsPerTick.every((count) => count === 1),
    figures: `due ${times.length} times in ${processesIn(ticks)} processes, ran ${runsPerTick.join(' + ') || 0} times`,
  };
}

/**
 * @param {number} expected
 * @param {number} actual
 * @returns {Verdict}
 */
export function moneyComplete(expected, actual) {
  const lost = expected - actual;
  return {
    ok: lost === 0 && expected > 0,
    figures: `${expected} paid in, ${actual} on the account, ${lost} lost`,
  };
}

/**
 * @param {object} handover
 * @param {Section | undefined} handover.holder that was killed
 * @param {Section | undefined} handover.next
 * @param {number} handover.killedAt
 * @param {number} handover.lease
 * @returns {Verdict}
 */
export function passedOnAfterLease({ holder, next, killedAt, lease }) {
  if (!holder || !next) return { ok: false, figures: 'nobody entered' };
  const after = next.enter - killedAt;
  const rose = (next.fence ?? 0) > (holder.fence ?? 0);
  return {
    ok: holder.pid !== next.pid && holder.leave === Infinity && after > 0 && after <= lease + 1000 && rose,
    figures:
      after > 0
        ? `next one in ${Math.round(after)} ms after the kill, with a lease of ${lease} ms`
        : `next one in ${Math.round(-after)} ms before the kill`,
  };
}

/**
 * @param {readonly JournalEntry[]} entries of the guarded store
 * @param {{ late: number, next: number }} pids
 * @returns {Verdict}
 */
export function staleWriteRefused(entries, { late, next }) {
  const writes = entries.filter(({ event }) => event === 'stored' || event === 'refused');
  const tooLate = writes.find(({ pid }) => pid === late);
  const inTime = writes.find(({ pid }) => pid === next);
  if (!tooLate || !inTime) return { ok: false, figures: 'not both of them wrote' };
  const lower = Number(tooLate.fence) < Number(inTime.fence);
  return {
    ok: inTime.event === 'stored' && tooLate.event === 'refused' && inTime.at < tooLate.at && lower,
    figures: `fence ${inTime.fence} ${inTime.event}, then the late fence ${tooLate.fence} ${tooLate.event}`,
  };
}
