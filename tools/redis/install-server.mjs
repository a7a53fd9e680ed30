import { findOnPath, findServerOnPath, SERVER_VARIABLE } from './find-server.mjs';
import { runCommand } from '../run-command.mjs';

const APT = [
  ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'],
  ['-o', 'DPkg::Lock::Timeout=300', '-q', '-y'],
].flat();
const INSTALL = [...APT, 'install', '--no-install-recommends', 'redis-server'];
const UPDATE = [...APT, 'update'];

/** What a person can do, by the package manager that is here. */
const BY_HAND = /** @type {const} */ ([
  ['apt-get', 'sudo apt-get install redis-server'],
  ['brew', 'brew install redis'],
  ['apk', 'apk add redis'],
  ['dnf', 'sudo dnf install redis (or valkey)'],
]);

/** The error of a machine that has no Redis and gets none by itself. */
export class NoRedisError extends Error {
  /** @param {string} why */
  constructor(why) {
    const known = BY_HAND.find(([program]) => findOnPath(program));
    const install = known?.[1] ?? 'install redis-server';
    super(
      [
        `No Redis for the tests: ${why}. One of these helps:`,
        '  - start Docker (an image redis:8-alpine, or a way to pull it)',
        `  - ${install}`,
        `  - set ${SERVER_VARIABLE} to the path of a redis-server or valkey-server`,
      ].join('\n'),
    );
    this.why = why;
  }
}

/** @returns {Promise<string[] | undefined>} what goes in front of a root command */
async function rootPrefix() {
  if (process.getuid?.() === 0) {
    return [];
  }
  const { ok } = await runCommand('sudo', ['-n', 'true'], { timeout: 5_000 });
  return ok ? ['sudo', '-n'] : undefined;
}

/**
 * Installs Debian's redis-server where that is allowed without asking.
 *
 * @param {(line: string) => void} log
 * @returns {Promise<string>} the binary
 */
export async function installServer(log) {
  if (!findOnPath('apt-get')) {
    throw new NoRedisError('neither Docker nor redis-server nor apt-get is here');
  }
  const prefix = await rootPrefix();
  if (prefix === undefined) {
    throw new NoRedisError('redis-server is missing and sudo wants a password');
  }
  log('Installing redis-server with apt-get (nothing else serves Redis here)');
  /** @param {string[]} command */
  const asRoot = (command) => {
    const [file = '', ...args] = [...prefix, ...command];
    return runCommand(file, args, { timeout: 600_000 });
  };
  let result = await asRoot(INSTALL);
  if (!result.ok) {
    // A fresh machine has no package lists yet, or outdated ones.
    await asRoot(UPDATE);
    result = await asRoot(INSTALL);
  }
  const binary = findServerOnPath();
  if (binary === undefined) {
    throw new NoRedisError(`apt-get failed:\n${result.output}\n`);
  }
  return binary;
}
