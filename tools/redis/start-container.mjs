import { fileURLToPath } from 'node:url';
import { parseVersion } from './find-server.mjs';
import { startGuard } from './guard.mjs';
import { waitForPing } from './wait-for-ping.mjs';

/** @import { ContainerProvider, RedisServer, StartOptions } from './types.mjs' */

const INNER_PORT = 6379;
const START_TIMEOUT = 60_000;
const GUARD = fileURLToPath(new URL('./container-guard.mjs', import.meta.url));
const SERVER = ['redis-server', '--save', '', '--appendonly', 'no'];

/**
 * @param {ContainerProvider} provider
 * @param {StartOptions} options
 * @returns {Promise<RedisServer>}
 */
export async function startContainer({ image }, { args = [], port }) {
  const container = await launch(image, args, port);
  const dismissGuard = startGuard(process.execPath, [GUARD, container.getId()]);
  // "localhost" may mean ::1 first, where no port is published.
  const host = container.getHost().replace('localhost', '127.0.0.1');
  const mapped = container.getMappedPort(INNER_PORT);
  /** @param {string[]} command */
  const exec = async (command) => {
    const { exitCode, output } = await container.exec(command);
    if (exitCode !== 0) {
      throw new Error(`${command.join(' ')}: ${output.trim()}`);
    }
    return output.replace(/\n$/, '');
  };
  /** @type {Promise<unknown> | undefined} */
  let stopping;
  const stop = async () => {
    stopping ??= container.stop({ timeout: 0 });
    await stopping;
    dismissGuard();
  };
  const address = { host, port: mapped };
  if (!(await waitForPing(address, { timeout: START_TIMEOUT }))) {
    await stop();
    throw new Error(`${image} does not answer on ${host}:${mapped}`);
  }
  return {
    host,
    port: mapped,
    url: `redis://${host}:${mapped}`,
    pid: undefined,
    kind: 'container',
    version: parseVersion(await exec(['redis-server', '--version'])),
    stop,
    cli: (...command) => exec(['redis-cli', ...command]),
  };
}

/**
 * @param {string} image
 * @param {string[]} args
 * @param {number | undefined} port
 */
async function launch(image, args, port) {
  // Our guard cleans up; the usual helper is one more image to pull.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  // Loaded late: most machines and all test files with a process need none.
  const { GenericContainer, Wait } = await import('testcontainers');
  const exposed = port === undefined ? INNER_PORT : { container: INNER_PORT, host: port };
  return new GenericContainer(image)
    .withCommand([...SERVER, ...args])
    .withExposedPorts(exposed)
    .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
    .withStartupTimeout(START_TIMEOUT)
    .start();
}
