import { setTimeout as sleep } from 'node:timers/promises';
import { contender } from '../contenders/index.mjs';
import { difference } from '../measure/server-counters.mjs';
import { peers } from './entrants.mjs';

/**
 * @import { Contender } from '../contenders/types.mjs'
 * @import { Bench, Fact } from '../measure/types.mjs'
 */

const PROCESSES = 4;
const WAITERS = 200;
/** Of the waiting processes, by default, ms. */
const POLL_INTERVAL = 3_000;

/** @type {import('../measure/types.mjs').Workload} */
export const IDLE_WAITERS = {
  id: 'idle-waiters',
  title: `${WAITERS} callers in ${PROCESSES} processes wait for a lock that is held for seconds`,
  quick: true,
  run: async (bench) => {
    const load = { processes: PROCESSES, callers: WAITERS / PROCESSES, hold: 0 };
    const some = ({ file = '' }) => ['redis-semaphore', 'wake-all'].includes(file);
    const others = bench.options.full ? peers(bench, load, some).map((entrant) => entrant.contender) : [];
    const own = bench.options.full ? ['ours', 'ours-fair'] : ['ours'];
    /** @type {Fact[]} */
    const facts = [];
    for (const one of [...own.map(contender), ...others]) {
      facts.push(...(await watch(bench, one)));
    }
    return { rows: [], facts };
  },
};

/**
 * @param {Bench} bench
 * @param {Contender} one
 * @returns {Promise<Fact[]>}
 */
async function watch({ pool, url, counters, options }, one) {
  const key = `idle:${one.id}`;
  const intervals = options.full ? 3 : 1;
  const holder = { ...one, id: `${one.id}-holder`, settings: withLongLease(one) };
  const [keeper] = await pool.workers(holder, 1, url);
  const workers = await pool.workers(one, PROCESSES, url);
  await keeper?.job('hold', { keys: [key] });
  const crowds = workers.map((worker) => worker.job('crowd', { key, count: WAITERS / PROCESSES }));
  await sleep(1_000);
  const before = await counters.read();
  await sleep(intervals * POLL_INTERVAL);
  const after = await counters.read();
  const { commands } = difference(before, after, one.sends);
  const { commands: heartbeats } = difference(before, after, ['ping']);
  const givenBack = Number(await keeper?.job('give-back'));
  const results = /** @type {{ begins: number[], failures: number }[]} */ (await Promise.all(crowds));
  const begins = results.flatMap((result) => result.begins);
  return [
    {
      id: `${one.id}-commands`,
      text: `${one.title}: commands for each process and poll interval of 3 s`,
      value: commands / PROCESSES / intervals,
      unit: '',
    },
    {
      id: `${one.id}-heartbeats`,
      text: `${one.title}: of them heartbeats of its channel`,
      value: heartbeats / PROCESSES / intervals,
      unit: '',
    },
    { id: `${one.id}-served`, text: `${one.title}: served after the release`, value: begins.length, unit: 'callers' },
    {
      id: `${one.id}-last`,
      text: `${one.title}: the last of them after`,
      value: Math.max(...begins) - givenBack,
      unit: 'ms',
    },
  ];
}

/** The renewals of the holder are not what is measured. @param {Contender} one */
function withLongLease({ kind, settings }) {
  return kind === 'ours'
    ? { ...settings, options: { .../** @type {any} */ (settings).options, ttl: '60s' } }
    : settings;
}
