import { NEMESES } from './nemeses/index.mjs';

/** @import { TopologyName } from './lab/topology.mjs' */
/** @import { Nemesis } from './nemeses/types.mjs' */
/** @import { Options } from './options.mjs' */
/** @import { RunPlan } from './run.mjs' */
/** @import { Mutant } from './types.mjs' */

/**
 * @typedef {object} Means what this machine has
 * @property {boolean} faultyNetwork
 * @property {boolean} compiler
 *
 * @typedef {Pick<RunPlan, 'topology' | 'nemesis' | 'everyReplica' | 'mutant'> & { seconds?: number }} Choice
 */

/** @type {[TopologyName, string, { replicas?: boolean, mutant?: Mutant }?][]} */
const SHORT = [
  ['single', 'client-stop', { mutant: 'no-deadline' }],
  ['single', 'client-stop', { mutant: 'blind-delete' }],
  ['single', 'client-stop', { mutant: 'no-fence' }],
  ['single', 'client-stop'],
  ['single', 'frozen-waiters'],
  ['single', 'kill-and-keep'],
  ['single', 'partition'],
  ['single', 'flushall'],
  ['sentinel', 'partition-peers'],
  ['sentinel', 'partition-peers', { replicas: true }],
  ['cluster', 'slot-moves'],
  ['cluster', 'failover'],
];
const SHORT_SECONDS = 6;

/** @returns {Choice[]} one or more of each kind, in less than five minutes */
export function shortPlan() {
  return SHORT.map(([topology, name, { replicas = false, mutant } = {}]) => {
    const nemesis = /** @type {Nemesis} */ (NEMESES.find((one) => one.name === name));
    return { topology, nemesis, everyReplica: replicas, mutant, seconds: SHORT_SECONDS };
  });
}

/**
 * @param {Options} options
 * @returns {Choice[]}
 */
export function chosenPlan({ topologies, nemeses, replicas, mutant }) {
  return topologies.flatMap((topology) =>
    nemeses
      .filter(({ groups }) => groups[topology] !== undefined)
      .map((nemesis) => ({ topology, nemesis, everyReplica: replicas, mutant })),
  );
}

/**
 * @param {Choice} choice
 * @param {Means} means
 * @returns {string | undefined} what is missing for it here
 */
export function missingFor({ nemesis }, { faultyNetwork, compiler }) {
  if (nemesis.network && !faultyNetwork) return 'needs root, for network namespaces';
  if (nemesis.compiler && !compiler) return 'needs a C compiler, for the clock of the server';
  return undefined;
}
