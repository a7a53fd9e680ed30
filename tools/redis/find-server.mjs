import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { runCommand } from '../run-command.mjs';

/** Names a server binary to use before anything else. */
export const SERVER_VARIABLE = 'REDIS_LOCK_TEST_SERVER';

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * @param {string} name
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined} the full path
 */
export function findOnPath(name, env = process.env) {
  // Debian keeps system programs out of an ordinary user's PATH.
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((dir) => join(dir, name)).find(isExecutable);
}

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined} the binary that the environment asks for
 */
export function findNamedServer(env = process.env) {
  const name = env[SERVER_VARIABLE];
  if (!name) {
    return undefined;
  }
  const found = name.includes('/') ? resolve(name) : findOnPath(name, env);
  if (found === undefined || !isExecutable(found)) {
    throw new Error(`${SERVER_VARIABLE}=${name} is no program here`);
  }
  return found;
}

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function findServerOnPath(env = process.env) {
  return findOnPath('redis-server', env) ?? findOnPath('valkey-server', env);
}

/**
 * The client that belongs to a server, else any on the PATH.
 *
 * @param {string} binary
 * @returns {string}
 */
export function findCli(binary) {
  const names = ['redis-cli', 'valkey-cli'];
  const folders = [dirname(binary), dirname(realpathSync(binary))];
  const beside = folders.flatMap((dir) => names.map((name) => join(dir, name)));
  const found = beside.find(isExecutable) ?? findOnPath('redis-cli') ?? findOnPath('valkey-cli');
  if (found === undefined) {
    throw new Error(`No redis-cli beside ${binary} or on the PATH`);
  }
  return found;
}

/**
 * @param {string} text what `redis-server --version` prints
 * @returns {string}
 */
export function parseVersion(text) {
  return /v=([\d.]+)/.exec(text)?.[1] ?? 'unknown';
}

/** @param {string} binary */
export async function serverVersion(binary) {
  const { output } = await runCommand(binary, ['--version']);
  return parseVersion(output);
}
