import { provideRedis, provideRedisBinary } from './provide-redis.mjs';
import { startContainer } from './start-container.mjs';
import { startProcess } from './start-process.mjs';

/** @import { RedisServer, StartOptions } from './types.mjs' */

export { ping } from './wait-for-ping.mjs';
export { provideRedis };

/**
 * Starts a server that ends with `stop()`, or with this process.
 *
 * @param {StartOptions} [options]
 * @returns {Promise<RedisServer>}
 */
export async function startRedis(options = {}) {
  const provider = await provideRedis();
  return provider.kind === 'container' ? startContainer(provider, options) : startProcess(provider, options);
}

/**
 * The same as a process of this machine, never a container: for those who
 * send it signals.
 *
 * @param {StartOptions} [options]
 * @returns {Promise<RedisServer & { pid: number, kind: 'process' }>}
 */
export async function startRedisProcess(options = {}) {
  const server = await startProcess(await provideRedisBinary(), options);
  return /** @type {RedisServer & { pid: number, kind: 'process' }} */ (server);
}
