import { compete } from '../measure/compete.mjs';
import { entrants, peers } from './entrants.mjs';

/** @type {import('../measure/types.mjs').Workload} */
export const SEMAPHORE = {
  id: 'semaphore',
  title: 'a semaphore of 5: 4 x 16 callers, section of 2 ms',
  quick: true,
  run: async (bench) => {
    const limit = 5;
    const load = { processes: 4, callers: 16, hold: 2, limit };
    const all = [
      ...entrants(['ours'], load).map((entrant) => ({ ...entrant, title: '@Semaphore' })),
      ...entrants(['no-lock'], { ...load, processes: 1, callers: limit }),
      // The only peer that has one.
      ...peers(bench, load, ({ file }) => file === 'redis-semaphore'),
    ];
    return { rows: await compete(bench, all), facts: [] };
  },
};
