import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../run-command.mjs';
import { startGuard } from '../redis/guard.mjs';
import { unpackSuite } from '../servers/obtain-server.mjs';
import { engineEnvironment } from './engine-programs.mjs';
import { completeRoot } from './import-image.mjs';

const INSIDE = join(import.meta.dirname, 'inside-namespace.mjs');
/** With its network, its processes and its mounts in namespaces, all of it is gone when its first process is. */
const NAMESPACES = ['--net', '--pid', '--mount', '--mount-proc', '--fork', '--kill-child=SIGKILL'];
/** Of the first process inside, when there was no engine to run tests on. */
export const NO_ENGINE = 3;
const CLEAN_UP = `
  kill -9 "$1" 2>/dev/null
  for try in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$2" 2>/dev/null && break; sleep 0.3; done
  find /sys/fs/cgroup -depth -type d -path "*/$3*" -exec rmdir {} + 2>/dev/null`;

/**
 * Starts an engine of Debian's that nothing else on the machine sees, runs the tests on it, and takes it down again, however
 * this process ends.
 *
 * @param {string[]} jestArguments
 * @returns {Promise<boolean>} rejects when no tests could be run
 */
export async function onOwnEngine(jestArguments) {
  const allowed = await runCommand('unshare', [...NAMESPACES, 'true']);
  if (!allowed.ok) throw new Error(allowed.output);
  const [engine, root] = await Promise.all([engineEnvironment(), unpackSuite('trixie')]);
  completeRoot(root);
  const dir = mkdtempSync(join(tmpdir(), 'redis-lock-engine-'));
  const group = `redis-lock-${process.pid}`;
  const settings = JSON.stringify({ dir, group, root, engine });
  const child = spawn('unshare', [...NAMESPACES, process.execPath, INSIDE, settings, ...jestArguments], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const cleanUp = [CLEAN_UP, 'clean-up', `${child.pid}`, dir, group];
  const dismissGuard = startGuard('sh', ['-c', `read -r _; ${CLEAN_UP}`, ...cleanUp.slice(1)]);
  const [code] = await once(child, 'exit');
  await once(spawn('sh', ['-c', ...cleanUp], { stdio: 'ignore' }), 'exit');
  dismissGuard();
  rmSync(dir, { recursive: true, force: true });
  if (code === NO_ENGINE) throw new Error('the engine did not start; what it said stands above');
  return code === 0;
}
