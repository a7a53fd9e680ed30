import { Session } from 'node:inspector/promises';

/**
 * @typedef {object} Hot where a process spends its time
 * @property {string} place a function and its file
 * @property {number} share of all the time, 0 to 1
 *
 * @typedef {object} ProfileNode
 * @property {number} id
 * @property {{ functionName: string, url: string, lineNumber: number }} callFrame
 *
 * @typedef {{ nodes: ProfileNode[], samples?: number[], timeDeltas?: number[] }} Profile
 */

const MOST = 12;
/** The profiler itself, which is asked from within. */
const PROFILER = 'dispatch';

/**
 * Runs `work` under the profiler of this process.
 *
 * @template R
 * @param {() => Promise<R>} work
 * @returns {Promise<{ result: R, hot: Hot[] }>}
 */
export async function profiled(work) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  const result = await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return { result, hot: hottest(profile) };
}

/**
 * The functions in which most of the time was spent, those they call not counted; `(idle)` is waiting for others.
 *
 * @param {Profile} profile
 * @returns {Hot[]}
 */
export function hottest({ nodes, samples = [], timeDeltas = [] }) {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  /** @type {Map<string, number>} */
  const spent = new Map();
  let total = 0;
  for (const [i, id] of samples.entries()) {
    const place = places.get(id) ?? '';
    if (place === PROFILER) continue;
    const time = timeDeltas[i] ?? 0;
    spent.set(place, (spent.get(place) ?? 0) + time);
    total += time;
  }
  const sorted = [...spent].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, MOST).map(([place, time]) => ({ place, share: time / total }));
}

/** @param {ProfileNode['callFrame']} frame */
function placeOf({ functionName, url, lineNumber }) {
  const name = functionName || '(anonymous)';
  return url === '' ? name : `${name} ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`;
}
