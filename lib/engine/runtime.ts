import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * Everything the engine takes from its surroundings: clocks, timers, chance and what the process is called. One place, so that a
 * simulation can stand in.
 */
export interface Runtime {
  /** Milliseconds on a clock that never goes back, but stands still while the machine is suspended. */
  monotonic(): number;
  /** Milliseconds on the clock of the machine, which may be set. */
  wall(): number;
  setTimeout(callback: () => void, ms: number): TimerHandle;
  clearTimeout(timer: TimerHandle): void;
  /** At least 0, below 1. */
  random(): number;
  /** Chance that nobody else comes by: names are made of it. */
  randomBytes(size: number): Buffer;
  readonly host: string;
  readonly pid: number;
}

export interface TimerHandle {
  unref?(): unknown;
}

/** `setTimeout` fires at once above this. */
export const LONGEST_TIMEOUT = 2 ** 31 - 1;

export const systemRuntime: Runtime = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  setTimeout: (callback, ms) => setTimeout(callback, Math.min(ms, LONGEST_TIMEOUT)),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  random: () => Math.random(),
  randomBytes: (size) => randomBytes(size),
  host: hostname(),
  pid: process.pid,
};
