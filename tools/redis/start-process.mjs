import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCli, serverVersion } from './find-server.mjs';
import { startGuard } from './guard.mjs';
import { runCommand } from '../run-command.mjs';
import { waitForPing } from './wait-for-ping.mjs';

/** @import { ProcessProvider, RedisServer, StartOptions } from './types.mjs' */

const HOST = '127.0.0.1';
const START_TIMEOUT = 10_000;
const PORT_TRIES = 5;
const CLEAN_UP = 'read -r _; kill -9 "$1"; rm -rf "$2"';

/** @returns {Promise<number>} */
async function freePort() {
  const probe = createServer().listen(0, HOST);
  await once(probe, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (probe.address());
  await new Promise((resolve) => probe.close(resolve));
  return address.port;
}

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
 * @param {string} logFile
 * @param {string[]} args
 */
function spawnServer(binary, logFile, args) {
  // A file and no pipe: it needs no reader, and keeps no process alive.
  const log = openSync(logFile, 'w');
  // Not in the group of the terminal: Ctrl-C ends the application first, which may still need its Redis.
  const child = spawn(binary, args, { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.unref();
  return child;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} dir
 * @returns {() => Promise<void>}
 */
function stopper(child, dir) {
  const exited = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  const guarded = ['-c', CLEAN_UP, 'redis-guard', `${child.pid}`, dir];
  const dismissGuard = startGuard('sh', guarded);
  return async () => {
    // Nothing is worth saving, and a stopped (SIGSTOP) server dies of it too.
    child.kill('SIGKILL');
    // Otherwise this process could end while it waits here.
    child.ref();
    await exited;
    dismissGuard();
    rmSync(dir, { recursive: true, force: true });
  };
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
