import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../wait-for.mjs';
import { COMMON, followedBy, persistence } from './topology.mjs';

/** @import { Lab } from './lab.mjs' */
/** @import { Server } from './server.mjs' */

const NAME = 'locks';
const SENTINELS = 3;
const DOWN_AFTER = 800;

/** One master, two replicas, and three Sentinels on hosts of their own. @type {import('./topology.mjs').StartTopology} */
export async function startSentinel(lab, { durable }) {
  const servers = await lab.addServers(['redis-1', 'redis-2', 'redis-3'], ({ host, port }, [first]) => [
    ...['--bind', host.address, '--port', `${port}`],
    ...(first === undefined ? [] : ['--replicaof', `${first.host.address} ${first.port}`]),
    ...COMMON,
    ...persistence(durable),
  ]);
  const first = /** @type {Server} */ (servers[0]);
  await waitFor('replicas that follow', () => followedBy(first, 2));
  /** @type {Server[]} */
  const sentinels = [];
  for (let i = 1; i <= SENTINELS; i += 1) sentinels.push(await startOne(lab, `sentinel-${i}`, first));

  /** The server that most Sentinels name. */
  const master = async () => {
    const named = await Promise.all(sentinels.map((sentinel) => masterSeenBy(sentinel)));
    const votes = servers.map((server) => named.filter((address) => address === addressOf(server)).length);
    return /** @type {Server} */ (servers[votes.indexOf(Math.max(...votes))]);
  };
  const healthy = async () => {
    const seen = await Promise.all(sentinels.map((sentinel) => sentinel.call('SENTINEL', 'MASTER', NAME)));
    const calm = seen.every((fields) => {
      const value = asFields(fields);
      return value['flags'] === 'master' && value['num-slaves'] === '2' && value['num-other-sentinels'] === '2';
    });
    const agreed = new Set(seen.map((fields) => `${asFields(fields)['ip']}:${asFields(fields)['port']}`)).size === 1;
    return calm && agreed && (await followedBy(await master(), 2));
  };
  await waitFor('Sentinels that know each other', healthy);

  return {
    name: 'sentinel',
    servers,
    connection: { sentinels: sentinels.map(({ address }) => address), name: NAME },
    replicas: 2,
    // Until it is noticed, agreed upon and done; then the old one must be made a replica, which takes as long again.
    nodeTimeout: 4 * DOWN_AFTER,
    masters: async () => [await master()],
    peersOf: (server) => [...servers, ...sentinels].filter((other) => other !== server).map(({ host }) => host),
    healthy,
    failover: async () => void (await sentinels[0]?.call('SENTINEL', 'FAILOVER', NAME)),
  };
}

/**
 * @param {Lab} lab
 * @param {string} name
 * @param {Server} master
 */
async function startOne(lab, name, master) {
  const host = await lab.network.addHost(name);
  const port = await lab.network.port(26_379);
  const config = join(lab.dir, `${name}.conf`);
  const lines = [
    `port ${port}`,
    `bind ${host.address}`,
    'protected-mode no',
    `sentinel monitor ${NAME} ${master.host.address} ${master.port} 2`,
    `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER}`,
    // Twice as long must pass between two failovers.
    `sentinel failover-timeout ${NAME} 1500`,
    `sentinel parallel-syncs ${NAME} 2`,
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  const sentinel = lab.make(host, port, [config, '--sentinel']);
  await sentinel.start();
  // How soon a master that comes back is made a replica: four of these. Servers before 7.0 know no such setting.
  await sentinel.call('SENTINEL', 'DEBUG', 'publish-period', '400').catch(() => undefined);
  return sentinel;
}

/** @param {Server} server */
const addressOf = ({ host, port }) => `${host.address}:${port}`;

/** @param {Server} sentinel */
async function masterSeenBy(sentinel) {
  const address = await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME);
  return /** @type {string[]} */ (address).join(':');
}

/**
 * @param {unknown} list names and values in turn
 * @returns {Record<string, string>}
 */
function asFields(list) {
  const flat = /** @type {string[]} */ (list);
  return Object.fromEntries(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? '']] : [])));
}
