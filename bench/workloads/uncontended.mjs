import { compete } from '../measure/compete.mjs';
import { entrants, peers } from './entrants.mjs';

/** @import { Workload } from '../measure/types.mjs' */

/** @param {number} callers @returns {Workload} */
function uncontended(callers) {
  const load = { processes: 1, callers, hold: 0, ownKeys: true };
  const limits = callers === 1 ? ['ping', 'raw'] : ['ping', 'raw', 'raw-auto'];
  return {
    id: `uncontended-${callers}`,
    title: `nobody else wants the key: 1 process, ${callers === 1 ? '1 caller' : `${callers} callers with a key each`}`,
    quick: true,
    run: async (bench) => {
      const first = ({ file = '' }) => bench.options.full || callers === 1 || file === 'redis-semaphore';
      const all = [...entrants(['ours', 'ours-background', ...limits], load), ...peers(bench, load, first)];
      return { rows: await compete(bench, all), facts: [] };
    },
  };
}

export const UNCONTENDED = [1, 64, 512].map(uncontended);
