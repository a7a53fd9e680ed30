/**
 * @typedef {object} RedisServer one running server, nobody else's
 * @property {string} host
 * @property {number} port
 * @property {string} url
 * @property {number | undefined} pid undefined for a container
 * @property {'process' | 'container' | 'embedded'} kind `embedded` in the demo only
 * @property {string} version
 * @property {() => Promise<void>} stop may be called twice
 * @property {(...args: string[]) => Promise<string>} cli runs redis-cli against
 *   this server and gives what it printed
 *
 * @typedef {object} StartOptions
 * @property {string[]} [args] further options of redis-server
 * @property {number} [port] default: a free one
 *
 * @typedef {{ kind: 'process', binary: string }} ProcessProvider
 * @typedef {{ kind: 'container', image: string }} ContainerProvider
 * @typedef {ProcessProvider | ContainerProvider} RedisProvider where servers
 *   come from on this machine
 */
export {};
