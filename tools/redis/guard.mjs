import { spawn } from 'node:child_process';

/**
 * Starts a small process that outlives this one by a moment. The pipe to it
 * closes however this process ends, SIGKILL included, and then it cleans up.
 * No exit or signal handlers are needed here, which a test runner would not
 * run and an application would not expect.
 *
 * @param {string} file
 * @param {string[]} args a program that works when its standard input ends
 * @returns {() => void} sends the guard away
 */
export function startGuard(file, args) {
  const guard = spawn(file, args, {
    // Ctrl-C on a terminal must not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const pipe = /** @type {import('node:net').Socket} */ (guard.stdin);
  guard.unref();
  pipe.unref();
  pipe.on('error', () => undefined);
  return () => {
    guard.kill('SIGKILL');
    pipe.destroy();
  };
}
