import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Commands, ProcessOptions, Section, Target } from './lock-process.types.js';
import type { RedisUnderTest } from './use-redis.js';

export type * from './lock-process.types.js';

const WORKER = fileURLToPath(new URL('../workers/lock-worker.mjs', import.meta.url));
const BUILT = fileURLToPath(new URL('../../dist/esm/index.js', import.meta.url));

type Arguments<C extends keyof Commands> = Parameters<Commands[C]>;
type Result<C extends keyof Commands> = ReturnType<Commands[C]>;

/** What a process answers: `ready` once, then one answer per command. */
type Message =
  | { ready: true }
  | {
      id: number;
      result?: unknown;
      error?: { name: string; code?: string; message: string };
    };

interface Pending {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

// Starting processes takes a while on a busy machine.

const running = new Set<LockProcess>();

/** A process of its own with a `LockService`, on the built package. */
export class LockProcess {
  /** True once it was ended from here. */
  private ending = false;
  /** How it ended, where nobody asked it to. */
  failure: Error | undefined;
  private readonly exited: Promise<void>;
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private output = '';

  private constructor(
    private readonly child: ChildProcess,
    ready: () => void,
    failed: (error: Error) => void,
  ) {
    running.add(this);
    child.stdout?.on('data', (chunk) => (this.output += String(chunk)));
    child.stderr?.on('data', (chunk) => (this.output += String(chunk)));
    child.on('message', (message: Message) => {
      if ('ready' in message) ready();
      else this.answered(message);
    });
    this.exited = new Promise((resolve) =>
      child.once('close', (code, signal) => {
        const error = new Error(`process ${child.pid} ended with ${signal ?? code}\n${this.output}`);
        if (!this.ending) this.failure = error;
        for (const { reject } of this.pending.values()) reject(error);
        failed(error);
        resolve();
      }),
    );
  }

  static async start(options: ProcessOptions): Promise<LockProcess> {
    const child = fork(WORKER, [JSON.stringify(options)], {
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let started: LockProcess | undefined;
    await new Promise<void>((resolve, reject) => {
      started = new LockProcess(child, resolve, reject);
    });
    return started as LockProcess;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** A call that nobody awaits any more when the process is killed does no harm. */
  call<C extends keyof Commands>(command: C, ...args: Arguments<C>): Promise<Result<C>> {
    const id = ++this.lastId;
    const answer = new Promise<Result<C>>((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.child.send({ id, command, args });
    });
    answer.catch(() => undefined);
    return answer;
  }

  /** One locked section. */
  section(target: Target, hold = 0): Promise<Section> {
    const work = { ...target, callers: 1, each: 1, hold };
    const section = this.call('sections', work).then(([only]) => only);
    section.catch(() => undefined);
    return section as Promise<Section>;
  }

  /** Stops it where it is; the kernel still takes what is sent to it. */
  freeze(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  thaw(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  /** Resolves when it is gone. */
  async kill(): Promise<void> {
    this.ending = true;
    this.child.kill('SIGKILL');
    await this.exited;
    running.delete(this);
  }

  /** Resolves when it has printed this. */
  async printed(text: string): Promise<void> {
    while (!this.output.includes(text)) {
      await new Promise((resolve) => this.child.stdout?.once('data', resolve));
    }
  }

  private answered(message: Exclude<Message, { ready: true }>): void {
    const call = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (message.error === undefined) call?.resolve(message.result as never);
    else call?.reject(Object.assign(new Error(), message.error));
  }
}

type ModuleOptions = Omit<ProcessOptions['module'], 'connection'>;

/** As many as were asked for. */
type Tuple<N extends number, T, R extends T[] = []> = number extends N
  ? T[]
  : R['length'] extends N
    ? R
    : Tuple<N, T, [...R, T]>;

/** Processes whose module has these options, ended after the test. */
export function startProcesses<N extends number>(
  count: N,
  redis: RedisUnderTest,
  module: ModuleOptions = {},
): Promise<Tuple<N, LockProcess>> {
  const one = () => startProcess(redis, module);
  const all = Promise.all(Array.from({ length: count }, one));
  return all as Promise<Tuple<N, LockProcess>>;
}

export async function startProcess(
  redis: RedisUnderTest,
  module: ModuleOptions = {},
  dateShift = 0,
): Promise<LockProcess> {
  if (!existsSync(BUILT)) {
    throw new Error(
      'dist is missing: these processes run the built package. Run `npm run build` first (`npm test` does).',
    );
  }
  return LockProcess.start({
    module: { ...module, connection: redis.url },
    dateShift,
  });
}

/**
 * Processes that all tests of a block share, since starting them costs more than most tests; for tests that neither kill nor
 * stop them, each with a key of its own.
 *
 * @returns a list that is filled before the first test
 */
export function useProcesses<N extends number>(
  count: N,
  redis: RedisUnderTest,
  { module, dateShifts = [] }: { module?: ModuleOptions; dateShifts?: readonly number[] } = {},
): Tuple<N, LockProcess> {
  const processes: LockProcess[] = [];
  beforeAll(async () => {
    const start = (_: unknown, i: number) => startProcess(redis, module, dateShifts[i]);
    processes.push(...(await Promise.all(Array.from({ length: count }, start))));
    for (const process of processes) running.delete(process);
  }, 60_000);
  afterEach(() => failOn(processes));
  afterAll(() => Promise.all(processes.map((process) => process.kill())));
  return processes as Tuple<N, LockProcess>;
}

/** The same clock as that of the processes, ms. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

afterEach(async () => {
  const started = [...running];
  await Promise.all(started.map((process) => process.kill()));
  failOn(started);
});

function failOn(processes: readonly LockProcess[]): void {
  const failed = processes.find((process) => process.failure !== undefined);
  if (failed?.failure) throw failed.failure;
}
