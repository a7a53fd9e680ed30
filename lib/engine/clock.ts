import type { Runtime } from './runtime.js';

/** Forward steps of the wall clock below this are taken for its own unevenness (it ticks in whole milliseconds). */
const SMALLEST_JUMP = 5;

/**
 * Elapsed time for leases: the progress of the monotonic clock, plus what the wall clock shows on top of it. The monotonic
 * clock does not count the time for which a machine was suspended, while leases on the server run out. A wall clock that is
 * set forward costs a lease needlessly; it never makes one look longer.
 */
export class Clock {
  /** By how much it has gone ahead of the monotonic clock, on which timers run, ms. */
  jumped = 0;
  private ahead: number;

  constructor(private readonly runtime: Runtime) {
    // In this order: what may pass between the two readings must not look like a jump later.
    const monotonic = runtime.monotonic();
    this.ahead = runtime.wall() - monotonic;
  }

  /** Milliseconds, never going back. */
  now(): number {
    const before = this.runtime.monotonic();
    const wall = this.runtime.wall();
    const most = wall - before;
    if (Math.abs(most - this.ahead) < SMALLEST_JUMP) return before + this.jumped;
    const after = this.runtime.monotonic();
    // The process may be interrupted between two readings, so that only two bounds are known. A jump is what is certain.
    const least = wall - after;
    if (least - this.ahead >= SMALLEST_JUMP) {
      this.jumped += least - this.ahead;
      this.ahead = least;
    } else if (most - this.ahead <= -SMALLEST_JUMP) {
      this.ahead = most;
    }
    return after + this.jumped;
  }
}
