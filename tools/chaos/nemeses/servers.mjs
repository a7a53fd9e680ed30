// Faults of servers.
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../wait-for.mjs';

/** @import { Lab } from '../lab/lab.mjs' */
/** @import { Server } from '../lab/server.mjs' */
/** @import { Nemesis } from './types.mjs' */

const REPLACED = /** @type {const} */ ({ sentinel: 'B', cluster: 'B' });

/** @param {Lab} lab */
export async function oneMaster({ topology }) {
  const masters = await topology.masters();
  return /** @type {Server} */ (masters[Math.floor(Math.random() * masters.length)]);
}

/** @type {Nemesis} */
export const serverStop = {
  name: 'server-stop',
  groups: { single: 'A', ...REPLACED },
  lasts: 3_000,
  start: async ({ lab, struck }) => {
    const master = await oneMaster(lab);
    master.freeze();
    struck();
    return async () => master.thaw();
  },
};

/** @type {Nemesis['start']} */
const killAndStart = async ({ lab, struck }) => {
  const server = await oneMaster(lab);
  await server.kill();
  struck();
  return () => server.start();
};

/** @type {Nemesis} */
export const killKept = {
  name: 'kill-and-keep',
  groups: { single: 'A' },
  servers: { durable: true },
  lasts: 500,
  start: killAndStart,
};

/** @type {Nemesis} */
export const killEmpty = {
  name: 'kill-and-forget',
  groups: { single: 'C' },
  lasts: 300,
  start: killAndStart,
};

/** @type {Nemesis} */
export const killMaster = {
  name: 'kill-master',
  groups: REPLACED,
  lasts: 5_000,
  start: async ({ lab, struck }) => {
    const master = await oneMaster(lab);
    await master.kill();
    struck();
    return async () => {
      await waitFor('another master', async () => !(await lab.topology.masters()).includes(master));
      if (lab.topology.name === 'cluster') return master.start();
      // As its file of settings would say where it has one. A server that comes back empty as a master is another fault.
      const [next] = await lab.topology.masters();
      await master.start('--replicaof', `${next?.host.address} ${next?.port}`);
    };
  },
};

/** @type {Nemesis} */
export const failover = {
  name: 'failover',
  // CLUSTER FAILOVER waits for the replica; a Sentinel promotes it while the old master still takes writes.
  groups: { sentinel: 'B', cluster: 'A' },
  lasts: 2_000,
  start: async ({ lab, struck }) => {
    const master = await oneMaster(lab);
    await lab.topology.failover?.(master);
    struck();
    return () => waitFor('another master', async () => !(await lab.topology.masters()).includes(master));
  },
};

/** @type {Nemesis} */
export const takeover = {
  name: 'takeover',
  groups: { cluster: 'B' },
  lasts: 2_000,
  start: async ({ lab, struck }) => {
    await lab.topology.takeOver?.(await oneMaster(lab));
    struck();
    return async () => undefined;
  },
};

/** Every connection is cut and every script forgotten, again and again. @type {Nemesis} */
export const storm = {
  name: 'storm',
  groups: { single: 'A', sentinel: 'A', cluster: 'A' },
  lasts: 0,
  start: async ({ lab, struck }) => {
    for (let i = 0; i < 12; i += 1) {
      for (const master of await lab.topology.masters()) {
        await master.call('SCRIPT', 'FLUSH');
        // Not the links of the cluster and of replicas: those are faults of their own.
        const clients = String(await master.call('CLIENT', 'LIST'));
        for (const line of clients.split('\n')) {
          const id = /^id=(\d+) /.exec(line)?.[1];
          // Neither ours (U: through a socket of the file system) nor links of replicas (M, S).
          const ours = / flags=[NP]+ /.test(line) && !line.includes('name=sentinel');
          if (id !== undefined && ours) await master.call('CLIENT', 'KILL', 'ID', id);
        }
      }
      struck();
      await sleep(150);
    }
    return async () => undefined;
  },
};
