import { compete } from '../measure/compete.mjs';
import { entrants } from './entrants.mjs';

const PROCESSES = 2;
const COUNTS = [10, 100, 1_000, 10_000];
/** Until all of them wait, ms for each. */
const ARRIVAL = 1;

/** @type {import('../measure/types.mjs').Workload} */
export const WAITERS = {
  id: 'waiters',
  title: 'the queue grows: @FairLock, 2 processes, 10 to 10,000 callers on one key',
  quick: false,
  run: async (bench) => {
    const all = COUNTS.flatMap((count) =>
      entrants(['ours-fair'], {
        ...{ processes: PROCESSES, callers: count / PROCESSES, hold: 0 },
        ...{ steady: true, warmUp: 200 + count * ARRIVAL },
      }).map((entrant) => ({ ...entrant, title: `${entrant.contender.title}, ${count} callers` })),
    );
    const rows = await compete(bench, all);
    const [few, many] = [rows[0]?.figures, rows.at(-1)?.figures];
    if (few === undefined || many === undefined) return { rows, facts: [] };
    return {
      rows,
      facts: [
        { id: 'cpu', text: 'server time of a cycle, 10,000 / 10', value: many.serverCpu / few.serverCpu, unit: '' },
        { id: 'script', text: 'of it in commands, 10,000 / 10', value: many.scriptUs / few.scriptUs, unit: '' },
      ],
    };
  },
};
