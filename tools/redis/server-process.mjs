import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { startGuard } from './guard.mjs';

export const HOST = '127.0.0.1';
const CLEAN_UP = 'read -r _; kill -9 "$1"; rm -rf "$2"';

/** @returns {Promise<number>} */
export async function freePort() {
  const probe = createServer().listen(0, HOST);
  await once(probe, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (probe.address());
  await new Promise((resolve) => probe.close(resolve));
  return address.port;
}

/**
 * @param {string} binary
 * @param {string} logFile
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function spawnServer(binary, logFile, args, env = process.env) {
  // A file and no pipe: it needs no reader, and keeps no process alive.
  const log = openSync(logFile, 'w');
  // Not in the group of the terminal: Ctrl-C ends the application first, which may still need its Redis.
  const child = spawn(binary, args, { detached: true, stdio: ['ignore', log, log], env });
  closeSync(log);
  child.unref();
  return child;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} dir
 * @returns {() => Promise<void>}
 */
export function stopper(child, dir) {
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
