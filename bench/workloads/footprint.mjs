import { randomUUID } from 'node:crypto';
import { contender } from '../contenders/index.mjs';
import { peers } from './entrants.mjs';

/**
 * @import { Contender } from '../contenders/types.mjs'
 * @import { Bench, Fact } from '../measure/types.mjs'
 */

/** @type {import('../measure/types.mjs').Workload} */
export const FOOTPRINT = {
  id: 'footprint',
  title: 'keys and bytes in Redis, with a UUID in the name',
  quick: true,
  run: async (bench) => {
    const load = { processes: 1, callers: 1, hold: 0 };
    const others = peers(bench, load, ({ tuning }) => tuning === 'best').map((entrant) => entrant.contender);
    const wanted = bench.options.full ? others : others.filter(({ file }) => file === 'redis-semaphore');
    /** @type {Fact[]} */
    const facts = [];
    for (const one of [contender('ours'), ...wanted]) {
      facts.push(...(await weigh(bench, one, 'lock')));
      if (['ours', 'redis-semaphore'].includes(one.file)) facts.push(...(await weigh(bench, one, 'semaphore', 5)));
    }
    return { rows: [], facts };
  },
};

/**
 * @param {Bench} bench
 * @param {Contender} one
 * @param {string} kind
 * @param {number} [limit]
 * @returns {Promise<Fact[]>}
 */
async function weigh({ pool, url, counters }, one, kind, limit) {
  const redis = counters.client;
  const [worker] = await pool.workers(one, 1, url);
  await redis.flushall();
  await worker?.job('hold', { keys: [`order:${randomUUID()}`], ...(limit === undefined ? {} : { limit }) });
  const keys = await redis.keys('*');
  const bytes = await Promise.all(keys.map((key) => redis.memory('USAGE', key)));
  await worker?.job('give-back');
  // The job ends before the release does.
  for (let tries = 0; tries < 100 && (await redis.dbsize()) > 0; tries += 1)
    await new Promise((go) => setTimeout(go, 10));
  const id = `${one.id}-${kind}`;
  return [
    { id: `${id}-keys`, text: `${one.title}, ${kind}: keys while it is held`, value: keys.length, unit: '' },
    {
      id: `${id}-bytes`,
      text: `${one.title}, ${kind}: MEMORY USAGE`,
      value: bytes.reduce((/** @type {number} */ total, size) => total + Number(size), 0),
      unit: 'bytes',
    },
    { id: `${id}-left`, text: `${one.title}, ${kind}: keys after it`, value: await redis.dbsize(), unit: '' },
  ];
}
