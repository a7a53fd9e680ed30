/** @import { Host } from './network.mjs' */
/** @import { Server } from './server.mjs' */
/** @import { Lab } from './lab.mjs' */

/**
 * @typedef {'single' | 'sentinel' | 'cluster'} TopologyName
 *
 * @typedef {object} Topology servers that make one Redis
 * @property {TopologyName} name
 * @property {Server[]} servers those that keep data
 * @property {object} connection as the library takes it
 * @property {number} replicas of every master
 * @property {number} nodeTimeout ms until a master that is gone is replaced, at the most
 * @property {() => Promise<Server[]>} masters
 * @property {(master: Server) => Host[]} peersOf hosts that a server talks to, other than clients
 * @property {() => Promise<boolean>} healthy every server is in its place, and every replica follows
 * @property {(master: Server) => Promise<void>} [failover] makes a replica the master, as an operator would
 * @property {(master: Server) => Promise<void>} [takeOver] the same without asking the master
 *
 * @typedef {object} ServerOptions
 * @property {boolean} durable every write is on disk before its answer
 * @property {boolean} skewed its clock can be set
 *
 * @typedef {(lab: Lab, options: ServerOptions) => Promise<Topology>} StartTopology
 */

/** Of every server in the lab. */
export const COMMON = [
  ...['--protected-mode', 'no', '--save', '', '--repl-diskless-sync-delay', '0', '--repl-timeout', '10'],
  ...['--tcp-keepalive', '5'],
];

/** @param {boolean} durable */
export const persistence = (durable) =>
  durable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];

/**
 * One field of the answer to INFO, or of a line of it.
 *
 * @param {unknown} info
 * @param {string} name
 */
export const field = (info, name) => new RegExp(`(?:^|[\\n,])${name}[:=]([^\\r\\n,]*)`).exec(String(info))?.[1];

/**
 * @param {Server} master
 * @param {number} count
 * @returns {Promise<boolean>} whether so many replicas follow it closely
 */
export async function followedBy(master, count) {
  const info = String(await master.call('INFO', 'replication'));
  return field(info, 'role') === 'master' && (info.match(/state=online/g) ?? []).length >= count;
}
