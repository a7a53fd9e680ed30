import { parseArgs } from 'node:util';
import { NEMESES } from './nemeses/index.mjs';

/** @import { TopologyName } from './lab/topology.mjs' */
/** @import { Mutant } from './types.mjs' */

export const USAGE = `npm run chaos -- [options]
  --short             a choice of runs, in less than five minutes
  --topology NAME     single, sentinel or cluster; may be given again (default: all)
  --nemesis NAME      one of: ${NEMESES.map(({ name }) => name).join(', ')}; may be given again (default: all)
  --seconds N         of faults in each run (default 20)
  --minutes N         go round until so much time is over (default: once)
  --replicas          every replica must have a lock before a caller gets it
  --mutant NAME       no-deadline, blind-delete or no-fence: must be found
  --processes N       client processes (default 4), and --callers N in each (default 8)
  --report docs-table print the sum of all runs as a table in Markdown
  --show              print examples of the overlaps that were seen
  --measure           what replicas cost`;

/** @type {readonly TopologyName[]} */
export const TOPOLOGIES = ['single', 'sentinel', 'cluster'];
/** @type {readonly Mutant[]} */
export const MUTANTS = ['no-deadline', 'blind-delete', 'no-fence'];

/** @param {string[]} args */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      short: { type: 'boolean', default: false },
      topology: { type: 'string', multiple: true, default: [...TOPOLOGIES] },
      nemesis: { type: 'string', multiple: true, default: NEMESES.map(({ name }) => name) },
      seconds: { type: 'string', default: '20' },
      minutes: { type: 'string', default: '0' },
      replicas: { type: 'boolean', default: false },
      mutant: { type: 'string' },
      processes: { type: 'string', default: '4' },
      callers: { type: 'string', default: '8' },
      report: { type: 'string' },
      show: { type: 'boolean', default: false },
      measure: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  /**
   * @template {string} N
   * @param {string} option
   * @param {readonly string[]} given
   * @param {readonly N[]} known
   */
  const among = (option, given, known) =>
    given.map((name) => {
      const found = known.find((one) => one === name);
      if (found === undefined) throw new Error(`--${option} ${name}: not one of ${known.join(', ')}`);
      return found;
    });
  /** @param {'seconds' | 'minutes' | 'processes' | 'callers'} option */
  const number = (option) => {
    const value = Number(values[option]);
    if (!(value >= 0)) throw new Error(`--${option} ${values[option]}: not a number`);
    return value;
  };
  const names = new Set(
    among(
      'nemesis',
      values.nemesis,
      NEMESES.map(({ name }) => name),
    ),
  );
  return {
    ...values,
    topologies: among('topology', values.topology, TOPOLOGIES),
    nemeses: NEMESES.filter(({ name }) => names.has(name)),
    mutant: among('mutant', values.mutant === undefined ? [] : [values.mutant], MUTANTS)[0],
    docsTable: among('report', values.report === undefined ? [] : [values.report], ['docs-table']).length > 0,
    seconds: number('seconds'),
    minutes: number('minutes'),
    processes: number('processes'),
    callers: number('callers'),
  };
}

/** @typedef {ReturnType<typeof readOptions>} Options */
