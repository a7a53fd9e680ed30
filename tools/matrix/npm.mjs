import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** @typedef {{ cwd: string, node?: string, env?: NodeJS.ProcessEnv }} Surroundings `node`: the binary to run npm with */

/** @type {import('node:child_process').ChildProcess | undefined} */
let running;
let interrupted = false;

/**
 * Runs npm to its end; what it prints is printed.
 *
 * @param {string[]} args
 * @param {Surroundings} surroundings
 * @returns {Promise<boolean>} whether it went well
 */
export async function npm(args, { cwd, node = process.execPath, env = process.env }) {
  const cli = process.env['npm_execpath'];
  if (cli === undefined) throw new Error('The matrix is run by npm: npm run test:matrix');
  if (interrupted) return false;
  console.log(`\n> npm ${args.join(' ')}`);
  running = spawn(node, [cli, ...args], { cwd, env, stdio: 'inherit' });
  const [code] = /** @type {[number | null]} */ (await once(running, 'exit'));
  return code === 0 && !interrupted;
}

/** From now on a signal ends what runs, and lets the rest of this process clean up. */
export function passOnSignals() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      interrupted = true;
      running?.kill(signal);
    });
  }
}
