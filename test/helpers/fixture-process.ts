import { afterAll } from '@jest/globals';
import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
const COMPILER = join(ROOT, 'test/workers/compile-fixture.mjs');

/** For the hook that starts a fixture: the compiler reads the types of all that it uses. */
export const TO_COMPILE = 300_000;

const running: ChildProcess[] = [];

/**
 * Runs a fixture in plain Node, where Jest cannot load what it needs; ended after the tests of the file.
 *
 * @param main its main file below test/
 * @param args for the fixture
 * @returns the first message that it sends
 */
export async function startFixture<T>(main: string, args: string[], compilerFlags: string[] = []): Promise<T> {
  // Below the root: the package and its dependencies are found from there.
  const outDir = join(ROOT, 'dist/fixtures', dirname(main));
  await promisify(execFile)(process.execPath, [COMPILER, join(ROOT, 'test', main), outDir, ...compilerFlags]);
  const built = join(outDir, main.replace(/\.ts$/, '.js'));
  const child = fork(built, args, { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  running.push(child);
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  const ended = once(child, 'close').then(() => Promise.reject(new Error(`the fixture has ended\n${output}`)));
  // Nobody listens any more when it is ended after the tests.
  ended.catch(() => undefined);
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return message;
}

afterAll(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
