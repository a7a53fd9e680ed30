import { compete } from '../measure/compete.mjs';
import { entrants, lonelyRaw, peers } from './entrants.mjs';

/** @import { Workload } from '../measure/types.mjs' */

const OURS = ['ours', 'ours-fair'];
/** In a short run those are left out that have the same engine as another one. */
const ALIKE = ['redlock-4', 'sesamecare', 'nest-redlock'];

/**
 * @param {number} processes
 * @param {number} callers
 * @param {number} hold
 * @param {boolean} quick
 * @returns {Workload}
 */
function hotKey(processes, callers, hold, quick) {
  const load = { processes, callers, hold };
  const section = hold === 0 ? 'empty section' : `section of ${hold} ms`;
  return {
    id: `hot-${processes}x${callers}${hold === 0 ? '' : `-${hold}ms`}`,
    title: `one hot key: ${processes} x ${callers} callers, ${section}`,
    quick,
    run: async (bench) => {
      const which = ({ id = '' }) => bench.options.full || !ALIKE.includes(id);
      const own = bench.options.full ? [...OURS, 'ours-background'] : OURS;
      const all = [...entrants(own, load), lonelyRaw(), ...peers(bench, load, which)];
      return { rows: await compete(bench, all), facts: [] };
    },
  };
}

export const HOT_KEY = [
  hotKey(1, 8, 0, true),
  hotKey(1, 64, 0, false),
  hotKey(1, 8, 2, false),
  hotKey(4, 8, 0, true),
  hotKey(4, 8, 2, false),
];
