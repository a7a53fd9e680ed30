import { setTimeout as sleep } from 'node:timers/promises';
import { now } from './clock.mjs';
import { difference } from './server-counters.mjs';
import { countViolations, handOffs } from './sections.mjs';
import { jain, percentile, sum } from './statistics.mjs';

/**
 * @import { CallersOrder, CallersResult } from '../jobs/callers.mjs'
 * @import { Contender } from '../contenders/types.mjs'
 * @import { Figures, Load } from './types.mjs'
 * @import { ServerCounters } from './server-counters.mjs'
 * @import { Worker } from './worker.mjs'
 */

/** For scripts and compilers, before a turn begins to count, ms. */
const WARM_UP = 50;
/** Until the orders have reached all processes, ms. */
const LEAD = 20;
let turns = 0;

/**
 * @param {Contender} contender
 * @param {readonly Worker[]} workers
 * @param {ServerCounters} counters
 * @param {Load} load
 * @param {number} seconds
 * @returns {Promise<Figures>}
 */
export async function takeTurn(contender, workers, counters, load, seconds) {
  const { callers, hold, ownKeys = false, limit, steady, warmUp = WARM_UP } = load;
  const key = `bench:${(turns += 1)}`;
  const before = await counters.read();
  const begin = now() + LEAD;
  const from = begin + warmUp;
  const until = from + seconds * 1000;
  /** @type {CallersOrder} */
  const order = {
    ...{ key, ownKeys, callers, hold, begin, from, until, log: !ownKeys },
    ...(limit === undefined ? {} : { limit }),
    ...(steady ? { abort: true } : {}),
  };
  const job = (/** @type {Worker} */ worker, /** @type {number} */ i) =>
    /** @type {Promise<CallersResult>} */ (worker.job('callers', { ...order, profile: load.profile && i === 0 }));
  const jobs = Promise.all(workers.map(job));
  const probes = load.probe
    ? Promise.all(workers.map((worker, i) => probe(worker, i, workers.length, order)))
    : undefined;
  const inside = steady ? await countWhile(counters, from, until) : undefined;
  const results = await jobs;
  const used = difference(...(inside ?? [before, await counters.read()]), contender.sends);
  if (steady) await counters.quiet();
  const total = sum(results.map((result) => (steady ? sum(result.counts) : result.total)));
  return {
    ...figuresOf(results, seconds, limit),
    commands: used.commands / total,
    bytes: used.bytes / total,
    clientCpu: (sum(results.map(({ cpu }) => cpu)) * 1000) / total,
    serverCpu: (used.cpuMs * 1000) / total,
    scriptUs: used.scriptUs / total,
    ...(probes ? probed(await probes) : {}),
    ...(results[0]?.hot ? { hot: results[0].hot } : {}),
  };
}

/**
 * @param {ServerCounters} counters
 * @param {number} from
 * @param {number} until
 */
async function countWhile(counters, from, until) {
  await sleep(from - now());
  const before = await counters.read();
  await sleep(until - now());
  return /** @type {const} */ ([before, await counters.read()]);
}

/**
 * @typedef {{ hops: number[], publishes: number[], pings: number[] }} Probed
 *
 * @param {Worker} worker
 * @param {number} index
 * @param {number} processes
 * @param {CallersOrder} order
 * @returns {Promise<Probed>}
 */
const probe = (worker, index, processes, { key, from, until }) =>
  worker.job('probe', { ring: `${key}:hops`, index, processes, from, until });

/** @param {readonly Probed[]} all */
function probed(all) {
  const middle = (/** @type {keyof Probed} */ name) =>
    percentile(
      all.flatMap((one) => one[name]),
      0.5,
    );
  return { hop50: middle('hops'), publish50: middle('publishes'), ping50: middle('pings') };
}

/**
 * @param {readonly CallersResult[]} results
 * @param {number} seconds
 * @param {number | undefined} limit
 */
function figuresOf(results, seconds, limit) {
  const counts = results.flatMap((result) => result.counts);
  const sections = results.flatMap(({ begins, ends }) =>
    Array.from(begins, (begin, i) => ({ begin, end: ends[i] ?? NaN })),
  );
  const gaps = limit === undefined ? handOffs(sections) : [];
  const releases = results.flatMap((result) => [...result.releases]);
  const failure = results.find((result) => result.failure !== undefined)?.failure;
  return {
    rate: sum(counts) / seconds,
    handOff50: percentile(gaps, 0.5),
    handOff99: percentile(gaps, 0.99),
    release50: percentile(releases, 0.5),
    jain: jain(counts),
    longestWait: Math.max(...results.map((result) => result.longestWait)),
    failures: sum(results.map((result) => result.failures)),
    violations: countViolations(sections, limit),
    ...(failure === undefined ? {} : { failure }),
  };
}
