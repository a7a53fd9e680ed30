import { setTimeout as pause } from 'node:timers/promises';
import { startRedisProcess } from './index.mjs';
import { freePort, HOST } from './server-process.mjs';

/** @import { RedisServer, StartOptions } from './types.mjs' */

const SLOTS = 16_384;
const PATIENCE = 30_000;

/**
 * @typedef {RedisServer & { pid: number, kind: 'process', id: string }} ClusterNode
 *
 * @typedef {object} ClusterServers
 * @property {ClusterNode[]} masters with the slots in equal parts
 * @property {ClusterNode[]} replicas the first is of the first master, and so on
 * @property {(args?: string[]) => Promise<ClusterNode>} add one more node, which has no slots
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a Cluster of processes on this machine.
 *
 * @param {{ masters: number, replicas?: number, nodeTimeout?: number }} shape replicas in all, ms
 * @returns {Promise<ClusterServers>}
 */
export async function startCluster({ masters, replicas = 0, nodeTimeout = 1500 }) {
  /** @type {ClusterNode[]} */
  const nodes = [];
  const start = async () => {
    const node = await startNode(nodeTimeout);
    nodes.push(node);
    return node;
  };
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    await Promise.all(Array.from({ length: masters + replicas }, start));
    const owners = nodes.slice(0, masters);
    const followers = nodes.slice(masters);
    await Promise.all(owners.map((node, i) => node.cli('cluster', 'addslotsrange', ...share(i, masters))));
    await meet(nodes);
    await Promise.all(followers.map((node, i) => follow(node, /** @type {ClusterNode} */ (owners[i % masters]))));
    await Promise.all(nodes.map(untilServing));
    const add = async () => {
      const node = await start();
      await meet(nodes);
      return node;
    };
    return { masters: owners, replicas: followers, add, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param {number} nodeTimeout */
async function startNode(nodeTimeout) {
  const bus = await freePort();
  const args = ['--cluster-enabled', 'yes', '--cluster-port', `${bus}`, '--cluster-node-timeout', `${nodeTimeout}`];
  // Else a replica waits five seconds for its first copy. DEBUG is there so that tests can restart a node.
  const more = ['--repl-diskless-sync-delay', '0', '--enable-debug-command', 'local'];
  const server = await startRedisProcess({ args: [...args, ...more] });
  return Object.assign(server, { id: await server.cli('cluster', 'myid'), bus });
}

/**
 * @param {number} i
 * @param {number} masters
 */
function share(i, masters) {
  const first = Math.floor((SLOTS * i) / masters);
  return [`${first}`, `${Math.floor((SLOTS * (i + 1)) / masters) - 1}`];
}

/** @param {(ClusterNode & { bus?: number })[]} nodes */
async function meet(nodes) {
  const [first, ...others] = nodes;
  for (const { port, bus } of others) await first?.cli('cluster', 'meet', HOST, `${port}`, `${bus}`);
  for (const node of nodes) {
    await until(async () => {
      const known = (await node.cli('cluster', 'nodes')).split('\n');
      return known.length >= nodes.length && !known.some((line) => line.includes('handshake'));
    }, 'the nodes know each other');
  }
}

/**
 * @param {ClusterNode} node
 * @param {ClusterNode} master
 */
async function follow(node, master) {
  await until(async () => (await node.cli('cluster', 'replicate', master.id)) === 'OK', 'a replica');
  await until(async () => (await node.cli('info', 'replication')).includes('master_link_status:up'), 'a copy');
}

/** @param {ClusterNode} node */
async function untilServing(node) {
  await until(async () => (await node.cli('cluster', 'info')).includes('cluster_state:ok'), 'a Cluster that serves');
}

/**
 * @param {() => Promise<boolean>} holds
 * @param {string} what
 */
async function until(holds, what) {
  const end = Date.now() + PATIENCE;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}`);
    await pause(50);
  }
}
