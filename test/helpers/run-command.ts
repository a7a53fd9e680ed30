import { expect } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface RunningCommand {
  child: ChildProcess;
  /** What it has printed so far. */
  output: () => string;
}

let running: ChildProcess | undefined;

/** Starts a command in the root folder of the project. */
export function runCommand(command: string, args: string[], env: NodeJS.ProcessEnv = {}): RunningCommand {
  const child = spawn(command, args, {
    cwd: ROOT,
    // A process group of its own, so that npm's children can be reached too.
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running = child;
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  return { child, output: () => output };
}

/** Ends the latest command when it still runs. */
export function stopCommand(): void {
  if (running?.pid !== undefined && running.exitCode === null && running.signalCode === null) {
    process.kill(-running.pid, 'SIGTERM');
  }
}

/** Process ids that the demo has named. */
export const pidsIn = (output: string) => [
  ...new Set([...output.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid))),
];

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Neither a process of the demo nor its Redis. */
export async function expectNothingLeft(output: string): Promise<void> {
  expect(pidsIn(output).filter(isAlive)).toEqual([]);
  const port = Number(/on port (\d+)/.exec(output)?.[1]);
  expect(port).toBeGreaterThan(0);
  expect(await isListening(port)).toBe(false);
}
