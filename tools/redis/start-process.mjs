import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCli, serverVersion } from './find-server.mjs';
import { runCommand } from '../run-command.mjs';
import { freePort, HOST, spawnServer, stopper } from './server-process.mjs';
import { waitForPing } from './wait-for-ping.mjs';

/** @import { ProcessProvider, RedisServer, StartOptions } from './types.mjs' */

const START_TIMEOUT = 10_000;
const PORT_TRIES = 5;

/**
 * @param {ProcessProvider} provider
 * @param {StartOptions} options
 * @returns {Promise<RedisServer>}
 */
export async function startProcess({ binary }, { args = [], port }) {
  for (let tries = 1; ; tries += 1) {
    const started = await launch(binary, port ?? (await freePort()), args);
    if (started.log === undefined) {
      return describe(binary, started);
    }
    // Somebody else may have taken the free port in between.
    const taken = started.log.includes('Address already in use');
    if (!taken || port !== undefined || tries === PORT_TRIES) {
      throw new Error(`${binary} did not start:\n${started.log}`);
    }
  }
}

/**
 * @typedef {object} Launched
 * @property {number} port
 * @property {number | undefined} pid
 * @property {() => Promise<void>} stop
 * @property {string} [log] only when the server is not there
 *
 * @param {string} binary
 * @param {number} port
 * @param {string[]} args
 * @returns {Promise<Launched>}
 */
async function launch(binary, port, args) {
  const dir = mkdtempSync(join(tmpdir(), 'redis-lock-'));
  const logFile = join(dir, 'server.log');
  // Whoever answers on this socket is ours; on the port it may be another.
  const path = join(dir, 'server.sock');
  const place = ['--port', `${port}`, '--bind', HOST, '--dir', dir];
  const child = spawnServer(binary, logFile, [
    ...place,
    ...['--unixsocket', path, '--save', '', '--appendonly', 'no'],
    ...args,
  ]);
  const stop = stopper(child, dir);
  const stillComing = () => child.exitCode === null && child.signalCode === null;
  if (await waitForPing({ path }, { timeout: START_TIMEOUT, stillComing })) {
    return { port, pid: child.pid, stop };
  }
  const log = readFileSync(logFile, 'utf8');
  await stop();
  return { port, pid: undefined, stop, log };
}

/**
 * @param {string} binary
 * @param {Launched} launched
 * @returns {Promise<RedisServer>}
 */
async function describe(binary, { port, pid, stop }) {
  return {
    host: HOST,
    port,
    url: `redis://${HOST}:${port}`,
    pid,
    kind: 'process',
    version: await serverVersion(binary),
    stop,
    cli: async (...args) => {
      const where = ['-h', HOST, '-p', `${port}`];
      const result = await runCommand(findCli(binary), [...where, ...args]);
      if (!result.ok) {
        throw new Error(`redis-cli ${args.join(' ')}: ${result.output}`);
      }
      return result.stdout.replace(/\n$/, '');
    },
  };
}
