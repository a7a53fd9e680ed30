import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitUntil } from './wait-until.js';

const WORKERS = new URL('../workers/', import.meta.url);
const LOADER = new URL('typescript.mjs', WORKERS).href;

/** A process that runs a file of test/workers written in TypeScript, on the built package, and tells of events. */
export class TypescriptProcess<Event> {
  /** What it has told so far. */
  readonly events: Event[] = [];
  private output = '';

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (event) => void this.events.push(event as Event));
    child.stderr?.on('data', (chunk) => (this.output += String(chunk)));
  }

  /** Resolves when it has told of its first event. */
  static async start<Event>(file: string, ...args: string[]): Promise<TypescriptProcess<Event>> {
    const child = fork(fileURLToPath(new URL(file, WORKERS)), args, {
      execArgv: ['--import', LOADER],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const process = new TypescriptProcess<Event>(child);
    await waitUntil(() => process.events.length > 0 || process.ended, `${file} is ready`, 90_000);
    process.expectUp();
    return process;
  }

  get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  send(message: object): void {
    this.child.send(message);
  }

  /** Resolves when it is gone. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    if (this.ended) return;
    this.child.kill(signal);
    await once(this.child, 'close');
  }

  expectUp(): void {
    expect(this.ended ? this.output : 'up').toBe('up');
  }
}

/**
 * Processes for each test, or for all of a file where nothing that they do outlasts a test: starting them costs more than most
 * tests.
 *
 * @param args of each, asked for when they start
 * @returns a list that is filled before the first test
 */
export function useTypescript<Event>(
  count: number,
  file: string,
  args: () => string[],
  every: 'test' | 'file' = 'test',
): TypescriptProcess<Event>[] {
  const processes: TypescriptProcess<Event>[] = [];
  const start = () => TypescriptProcess.start<Event>(file, ...args());
  const startAll = async () => void processes.push(...(await Promise.all(Array.from({ length: count }, start))));
  const stopAll = async () => {
    await Promise.all(processes.splice(0).map((process) => process.stop('SIGKILL')));
  };
  (every === 'test' ? beforeEach : beforeAll)(startAll);
  (every === 'test' ? afterEach : afterAll)(stopAll);
  return processes;
}
