import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compete } from '../measure/compete.mjs';
import { Pool } from '../measure/pool.mjs';
import { entrants, peers } from './entrants.mjs';

const PROXY = join(import.meta.dirname, '../measure/delay-proxy.mjs');
/** Each way, ms. */
const DELAY = 1.5;

/** @type {import('../measure/types.mjs').Workload} */
export const DISTANCE = {
  id: 'distance',
  title: 'a server 3 ms away: 4 x 1 callers on one key, section of 2 ms',
  quick: true,
  run: async (bench) => {
    const proxy = fork(PROXY, [`${bench.port}`, `${DELAY}`], { execArgv: [] });
    // Those who are connected through it go before it, or they would look for it.
    const pool = new Pool();
    try {
      const [port] = /** @type {[number]} */ (await once(proxy, 'message'));
      const load = { processes: 4, callers: 1, hold: 2 };
      const far = { processes: 1, callers: 1, hold: 0, ownKeys: true };
      const which = ({ file = '' }) => bench.options.full || file === 'redis-semaphore';
      const all = [...entrants(['ours-fair', 'ours'], load), ...entrants(['ping'], far), ...peers(bench, load, which)];
      const rows = await compete({ ...bench, pool }, all, { url: `redis://127.0.0.1:${port}` });
      const trip = 1000 / (rows.find(({ contender }) => contender.id === 'ping')?.figures?.rate ?? NaN);
      const facts = rows.flatMap(({ contender, title, figures }) =>
        figures && contender.kind !== 'raw'
          ? [
              {
                id: contender.id,
                text: `${title}: hand-off, p50`,
                value: figures.handOff50 / trip,
                unit: 'round trips',
              },
            ]
          : [],
      );
      return { rows, facts: [{ id: 'trip', text: 'round trip of PING', value: trip, unit: 'ms' }, ...facts] };
    } finally {
      await pool.close();
      proxy.disconnect();
    }
  },
};
