import { afterEach } from '@jest/globals';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitUntil } from './wait-until.js';

const WORKERS = new URL('../workers/', import.meta.url);
const LOADER = new URL('typescript.mjs', WORKERS).href;

export interface TypescriptProcess<Event> {
  readonly child: ChildProcess;
  /** What it has told so far. */
  readonly events: readonly Event[];
}

const running = new Set<ChildProcess>();

/**
 * A process that runs a file of test/workers written in TypeScript, on the built package, and tells of events. Ended after the
 * test. Resolves when it has told of its first event.
 */
export async function startTypescript<Event>(file: string, ...args: string[]): Promise<TypescriptProcess<Event>> {
  const child = fork(fileURLToPath(new URL(file, WORKERS)), args, {
    execArgv: ['--import', LOADER],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  running.add(child);
  const events: Event[] = [];
  let output = '';
  child.on('message', (event) => void events.push(event as Event));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  await waitUntil(() => events.length > 0 || child.exitCode !== null, `${file} is ready`, 60_000);
  if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}\n${output}`);
  return { child, events };
}

/** Resolves when it is gone. */
export async function stopTypescript({ child }: TypescriptProcess<unknown>, signal: NodeJS.Signals): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'close');
}

afterEach(async () => {
  await Promise.all([...running].map((child) => stopTypescript({ child, events: [] }, 'SIGKILL')));
});
