import { COMMON, persistence } from './topology.mjs';

/** @type {import('./topology.mjs').StartTopology} */
export async function startSingle(lab, { durable, skewed }) {
  const [server] = await lab.addServers(
    ['redis'],
    ({ host, port }) => [...['--bind', host.address, '--port', `${port}`], ...COMMON, ...persistence(durable)],
    skewed,
  );
  if (server === undefined) throw new Error('no server');
  return {
    name: 'single',
    servers: [server],
    connection: server.address,
    replicas: 0,
    nodeTimeout: 0,
    masters: () => Promise.resolve([server]),
    peersOf: () => [],
    healthy: async () => (await server.call('PING')) === 'PONG',
  };
}
