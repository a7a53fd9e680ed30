import { parseArgs } from 'node:util';
import { WORKLOADS } from './workloads/index.mjs';

export const USAGE = `npm run bench -- [options]        a choice of the workloads, in about 90 seconds
npm run bench:full -- [options]   all workloads, and the peers also at their defaults
  --only WORKLOAD  one of: ${WORKLOADS.map(({ id }) => id).join(', ')}; may be given again
  --seconds N      of each turn (default 0.25; full: 1)
  --rounds N       turns of each contender, of which the median counts (default 3; full: 5)
  --profile        where a figure is missed, print in which functions the time went (full: always)
  --without-peers  only this package and the raw limits; installs nothing
  --json FILE      write all figures there
  --markdown       print the tables in Markdown`;

/** @param {string[]} args */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      full: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      profile: { type: 'boolean', default: false },
      'without-peers': { type: 'boolean', default: false },
      json: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { full, only } = values;
  const number = (/** @type {'seconds' | 'rounds'} */ name, /** @type {number} */ otherwise) => {
    const value = Number(values[name] ?? otherwise);
    if (!(value > 0)) throw new Error(`--${name} ${values[name]}: not a number above 0`);
    return value;
  };
  for (const id of only) {
    if (!WORKLOADS.some((workload) => workload.id === id)) throw new Error(`--only ${id}: no such workload`);
  }
  return {
    full,
    workloads: WORKLOADS.filter(({ id, quick }) => (only.length > 0 ? only.includes(id) : full || quick)),
    seconds: number('seconds', full ? 1 : 0.25),
    rounds: Math.ceil(number('rounds', full ? 5 : 3)),
    profile: full || values.profile,
    peers: !values['without-peers'],
    json: values.json,
    markdown: values.markdown,
    help: values.help,
  };
}

/** @typedef {ReturnType<typeof readOptions>} Options */
