import { Redis } from 'ioredis';
import { SERVER_VARIABLE } from '../redis/find-server.mjs';
import { startRedis } from '../redis/index.mjs';
import { NoRedisError } from '../redis/install-server.mjs';

/** @import { RedisServer } from '../redis/types.mjs' */

/** Asks for the embedded server, in place of the name of a program. Only here: tests are about Redis. */
const EMBEDDED = 'embedded';

/**
 * A Redis for the demo. Where none is to be had, this process hosts one itself.
 *
 * @param {(line: string) => void} log
 * @param {() => Promise<RedisServer>} [start]
 * @returns {Promise<RedisServer>}
 */
export async function startDemoRedis(log, start = startRedis) {
  if (process.env[SERVER_VARIABLE] !== EMBEDDED) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof NoRedisError)) throw error;
      log(`No Redis is to be had here (${error.why}).`);
    }
  }
  log('This process hosts an embedded Redis, which is enough for processes of one machine.');
  return startEmbedded();
}

/** @returns {Promise<RedisServer>} */
async function startEmbedded() {
  // Not before it is built.
  const { EmbeddedRedis } = await import('nestjs-redis-lock/testing');
  const server = await EmbeddedRedis.start({ allowInProduction: true });
  const url = await server.listen();
  const client = new Redis(server.connection);
  return {
    host: new URL(url).hostname,
    port: Number(new URL(url).port),
    url,
    pid: undefined,
    kind: 'embedded',
    version: /redis_version:(\S+)/.exec(await client.info())?.[1] ?? 'unknown',
    stop: async () => {
      client.disconnect();
      await server.stop();
    },
    cli: async (...args) => printed(await ask(client, args)),
  };
}

/**
 * @param {Redis} client
 * @param {string[]} args those of redis-cli
 * @returns {Promise<unknown>}
 */
function ask(client, [name = '', ...args]) {
  return name === '--scan' ? client.keys(args[1] ?? '*') : client.call(name, args);
}

/**
 * @param {unknown} answer
 * @returns {string} as redis-cli prints it into a pipe
 */
function printed(answer) {
  if (Array.isArray(answer)) return answer.map(printed).join('\n');
  return typeof answer === 'string' || typeof answer === 'number' ? `${answer}` : '';
}
