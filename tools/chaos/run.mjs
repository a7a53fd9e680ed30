import { setTimeout as sleep } from 'node:timers/promises';
import { Fleet } from './clients/fleet.mjs';
import { TTL } from './clients/workload.mjs';
import { now } from './clock.mjs';
import { Lab } from './lab/lab.mjs';
import { findLeftovers } from './leftovers.mjs';
import { figuresOf } from './figures.mjs';
import { judge, LEAST_FAULTS } from './checker/verdict.mjs';
import { waitFor } from './wait-for.mjs';

/** @import { TopologyName } from './lab/topology.mjs' */
/** @import { Group, Nemesis } from './nemeses/types.mjs' */
/** @import { Mutant } from './types.mjs' */
/** @import { Figures } from './checker/verdict.mjs' */

const WARM_UP = 2_000;
/** Between the heal of a fault and the next one. */
const CALM = 2_000;
/** For what has nothing to do with the locks: processes that share a machine, and connections that come back. */
const GRACE = 2_000;

/**
 * @typedef {object} RunPlan
 * @property {TopologyName} topology
 * @property {Nemesis} nemesis
 * @property {boolean} everyReplica must have a lock before a caller gets it
 * @property {Mutant} [mutant]
 * @property {number} seconds of faults
 * @property {number} processes
 * @property {number} callers
 * @property {boolean} faultyNetwork
 *
 * @typedef {object} RunResult
 * @property {RunPlan} plan
 * @property {Group} group
 * @property {Figures | undefined} figures
 * @property {Map<string, number>} notes
 * @property {string[]} wrong
 */

/**
 * One run: a Redis of its own, clients at work, the same fault again and again, then silence, and what the histories say.
 *
 * @param {RunPlan} plan
 * @param {(close: () => Promise<void>) => void} onEnd
 * @returns {Promise<RunResult>}
 */
export async function run(plan, onEnd) {
  const { nemesis, topology, everyReplica, mutant } = plan;
  const group = nemesis.groups[topology] ?? 'A';
  const servers = { durable: false, skewed: false, ...nemesis.servers };
  /** @type {Map<string, number>} */
  const notes = new Map();
  const lab = await Lab.open(topology, { ...servers, faultyNetwork: plan.faultyNetwork });
  onEnd(() => lab.close());
  try {
    const replicas = everyReplica ? lab.topology.replicas : 0;
    const fleet = new Fleet(lab, { ...plan, replicas });
    await fleet.open();
    const load = await underLoad(plan, lab, fleet, notes);
    const recoveryBound = TTL + lab.topology.nodeTimeout + GRACE;
    const probes = await fleet.quietAndProbe(recoveryBound + GRACE);
    // A mutant leaves what it leaves.
    const left = mutant ? { leftovers: [], endless: [] } : await findLeftovers(lab.topology);
    await fleet.close();
    const figures = figuresOf(fleet, {
      ...load,
      ...left,
      probes,
      recoveryBound,
      // Somebody may have it for long just then.
      gapBound: load.outage + recoveryBound + 2 * TTL,
    });
    const idle = nemesis.name === 'none';
    const wrong = judge(figures, {
      group,
      idle,
      everyReplica: everyReplica && lab.topology.replicas > 0,
      ...(mutant ? { mutant } : {}),
    });
    return { plan, group, figures, notes, wrong };
  } finally {
    await lab.close();
  }
}

/**
 * @param {RunPlan} plan
 * @param {Lab} lab
 * @param {Fleet} fleet
 * @param {Map<string, number>} notes
 */
async function underLoad({ nemesis, seconds, everyReplica }, lab, fleet, notes) {
  const { topology } = lab;
  /** @type {number[]} */
  const faults = [];
  let outage = 0;
  const scene = {
    lab,
    fleet,
    note: (/** @type {string} */ name, /** @type {number} */ value) =>
      void notes.set(name, Math.max(value, notes.get(name) ?? 0)),
    struck: () => void faults.push(now()),
  };
  await waitFor('a sound Redis', () => topology.healthy());
  await fleet.start();
  // The first of everything takes longer.
  await sleep(WARM_UP / 2);
  const startedAt = now();
  await sleep(WARM_UP);
  const firstFaultAt = now();
  const end = firstFaultAt + seconds * 1000;
  for (let rounds = 1; ; rounds += 1) {
    const from = now();
    const heal = await nemesis.start(scene);
    await sleep(nemesis.lasts);
    const last =
      now() + CALM > end && (rounds >= LEAST_FAULTS || faults.length >= LEAST_FAULTS || nemesis.name === 'none');
    await heal();
    // Without all of its replicas no lock is to be had, and that is so until the servers have found together again.
    if (everyReplica) await waitFor('a sound Redis after a fault', () => topology.healthy());
    outage = Math.max(outage, now() - from);
    if (last) break;
    await sleep(CALM);
    await waitFor('a sound Redis after a fault', () => topology.healthy());
  }
  return { startedAt, firstFaultAt, healedAt: now(), faults, outage };
}
