import type { AcquireOptions, RedisLockModuleOptions } from 'nestjs-redis-lock';

/** What a process is started with; it crosses to the process as JSON. */
export interface ProcessOptions {
  module: Pick<RedisLockModuleOptions, 'handoffTtl' | 'pollInterval' | 'commandTimeout' | 'defaults'> & {
    connection: string;
  };
  /** Milliseconds by which the wall clock of the process is wrong. */
  dateShift?: number;
}

/** Which lock: a semaphore when a limit is given. */
export interface Target {
  key: string;
  limit?: number;
  options?: Omit<AcquireOptions, 'signal'>;
}

/** A lease that stays with the process under a name. */
export interface Named {
  name: string;
}

export interface Grant {
  /** When the caller had it. All moments are milliseconds on one clock, the same for all processes of the machine. */
  at: number;
  fence: number;
  token: string;
}

export interface Section {
  pid: number;
  entered: number;
  left: number;
  fence: number;
  token: string;
}

export interface Look {
  at: number;
  held: boolean;
  remaining: number;
  lost: boolean;
}

export interface Pestering {
  tries: number;
  grants: Grant[];
}

/** The commands that a process understands. */
export interface Commands {
  /** Takes a lock and keeps it. */
  acquire(target: Target & Named): Grant;
  release(lease: Named): { released: boolean; at: number };
  look(lease: Named): Look;
  /** Runs locked sections, one after the other in each of `callers`; each lasts `hold` ms. */
  sections(work: Target & { callers: number; each: number; hold: number }): Section[];
  /** Tries to get a lock without waiting, again and again without a pause, until `rest`. */
  pester(target: Target): void;
  rest(): Pestering;
  /** Gives how often it has tried. */
  pestered(): number;
  /**
   * Keeps the process busy until it stood still for longer than `pause` ms, and looks at the lease in the same breath:
   * before any timer, any answer and any message.
   */
  lookAfterPause(lease: Named & { pause: number }): Look;
  /** Sets the wall clock that much forward or back. */
  shiftDate(by: number): void;
}
