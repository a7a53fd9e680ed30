import { waitFor } from '../wait-for.mjs';
import { COMMON, field, followedBy, persistence } from './topology.mjs';

/** @import { Server } from './server.mjs' */

const MASTERS = 3;
const NODE_TIMEOUT = 1_000;
const SLOTS = 16_384;

/** Three masters with a replica each. @type {import('./topology.mjs').StartTopology} */
export async function startCluster(lab, { durable }) {
  const names = Array.from({ length: 2 * MASTERS }, (_, i) => `redis-${i + 1}`);
  const busPorts = new Map();
  for (const name of names) busPorts.set(name, await lab.network.port(16_379));
  const servers = await lab.addServers(names, ({ host, port }) => [
    ...['--bind', host.address, '--port', `${port}`, '--cluster-port', `${busPorts.get(host.name)}`],
    ...['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf', '--cluster-node-timeout', `${NODE_TIMEOUT}`],
    ...['--cluster-replica-validity-factor', '0', '--cluster-allow-replica-migration', 'no'],
    ...COMMON,
    ...persistence(durable),
  ]);
  const ids = await Promise.all(servers.map(async (server) => String(await server.call('CLUSTER', 'MYID'))));
  await join(servers, ids, busPorts);

  const healthy = async () => {
    const views = await Promise.all(servers.map((server) => nodesSeenBy(server)));
    const calm = views.every((nodes) => nodes.length === servers.length && nodes.every(({ well }) => well));
    const shared = views.every((nodes) => nodes.filter(({ slots }) => slots).length === MASTERS);
    const followed = await Promise.all((await masters()).map((master) => followedBy(master, 1)));
    return calm && shared && followed.length === MASTERS && followed.every(Boolean);
  };
  /** As the node says that has the newest news; one that was killed or cut off has not. */
  const masters = async () => {
    const views = await Promise.all(servers.map((server) => newsOf(server).catch(() => undefined)));
    const newest = views.reduce((best, view) => ((view?.epoch ?? 0) > (best?.epoch ?? 0) ? view : best), undefined);
    const alive = newest?.nodes.filter(({ master, slots, failed }) => master && slots && !failed) ?? [];
    return alive.map(({ id }) => /** @type {Server} */ (servers[ids.indexOf(id)]));
  };
  /** @param {Server} master */
  const replicaOf = async (master) => {
    const id = ids[servers.indexOf(master)];
    const nodes = await nodesSeenBy(/** @type {Server} */ (servers.find((server) => server !== master)));
    const replica = nodes.find((node) => node.masterId === id && node.well);
    const server = servers[ids.indexOf(replica?.id ?? '')];
    if (server === undefined) throw new Error(`${master.host.name} has no replica`);
    return server;
  };
  await waitFor('a cluster', healthy);

  return {
    name: 'cluster',
    servers,
    connection: { nodes: servers.map(({ address }) => address) },
    replicas: 1,
    nodeTimeout: 3 * NODE_TIMEOUT,
    masters,
    peersOf: (server) => servers.filter((other) => other !== server).map(({ host }) => host),
    healthy,
    failover: async (master) => void (await (await replicaOf(master)).call('CLUSTER', 'FAILOVER')),
    takeOver: async (master) => void (await (await replicaOf(master)).call('CLUSTER', 'FAILOVER', 'TAKEOVER')),
  };
}

/**
 * @param {Server[]} servers
 * @param {string[]} ids
 * @param {Map<string, number>} busPorts
 */
async function join(servers, ids, busPorts) {
  const [first, ...others] = /** @type {[Server, ...Server[]]} */ (servers);
  for (const [i, server] of servers.entries()) {
    // Nodes that meet with equal claims sort it out, but slowly.
    await server.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
  }
  for (const { host, port } of others) {
    await first.call('CLUSTER', 'MEET', host.address, port, busPorts.get(host.name) ?? 0);
  }
  const share = Math.ceil(SLOTS / MASTERS);
  for (let i = 0; i < MASTERS; i += 1) {
    const last = Math.min((i + 1) * share, SLOTS) - 1;
    await servers[i]?.call('CLUSTER', 'ADDSLOTSRANGE', i * share, last);
  }
  const met = async () =>
    (await Promise.all(servers.map((server) => nodesSeenBy(server)))).every(({ length }) => length === servers.length);
  await waitFor('nodes that know each other', met);
  for (let i = MASTERS; i < servers.length; i += 1) {
    await waitFor(
      'a replica',
      async () => (await servers[i]?.call('CLUSTER', 'REPLICATE', ids[i - MASTERS] ?? '')) === 'OK',
    );
  }
}

/**
 * @typedef {object} Node
 * @property {string} id
 * @property {boolean} failed as most masters say
 * @property {boolean} master
 * @property {string} masterId
 * @property {boolean} slots it has some
 * @property {boolean} well
 *
 * @param {Server} server
 * @returns {Promise<Node[]>}
 */
async function nodesSeenBy(server) {
  const lines = String(await server.call('CLUSTER', 'NODES'))
    .trim()
    .split('\n');
  return lines.map((line) => {
    const [id = '', , flags = '', masterId = '', , , , link, ...slots] = line.split(' ');
    const well = link === 'connected' && !/fail|handshake|noaddr/.test(flags);
    const failed = flags.split(',').includes('fail');
    return { id, failed, master: /master/.test(flags), masterId, slots: slots.length > 0, well };
  });
}

/** @param {Server} server */
async function newsOf(server) {
  const info = await server.call('CLUSTER', 'INFO');
  if (field(info, 'cluster_state') !== 'ok') return undefined;
  return { epoch: Number(field(info, 'cluster_current_epoch')), nodes: await nodesSeenBy(server) };
}
