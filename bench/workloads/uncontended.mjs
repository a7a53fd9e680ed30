import { compete } from '../measure/compete.mjs';
import { entrants, peers } from './entrants.mjs';

/** @import { Workload } from '../measure/types.mjs' */

/** Enough for a glance: one that sets, one with scripts, one of Nest. */
const WELL_KNOWN = ['redis-semaphore', 'redlock-5', 'murlock'];

/** @param {number} callers @returns {Workload} */
function uncontended(callers) {
  // One caller alone makes so few calls that it takes a while until all of the way is compiled.
  const load = { processes: 1, callers, hold: 0, ownKeys: true, ...(callers === 1 ? { first: 1 } : {}) };
  const limits = callers === 1 ? ['ping', 'raw'] : ['ping', 'raw', 'raw-auto'];
  return {
    id: `uncontended-${callers}`,
    title: `nobody else wants the key: 1 process, ${callers === 1 ? '1 caller' : `${callers} callers with a key each`}`,
    quick: callers !== 64,
    run: async (bench) => {
      const some = ({ id = '' }) => bench.options.full || (callers === 1 && WELL_KNOWN.includes(id));
      const all = [...entrants(['ours', 'ours-background', ...limits], load), ...peers(bench, load, some)];
      return { rows: await compete(bench, all), facts: [] };
    },
  };
}

export const UNCONTENDED = [1, 64, 512].map(uncontended);
