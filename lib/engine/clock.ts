import type { Runtime } from './runtime.js';

/** Forward steps of the wall clock below this are taken for its own unevenness (it ticks in whole milliseconds). */
const SMALLEST_JUMP = 5;

/**
 * Elapsed time for leases: the progress of the monotonic clock, plus what the wall clock shows on top of it. The monotonic
 * clock does not count the time for which a machine was suspended, while leases on the server run out. A wall clock that is
 * set forward costs a lease needlessly; it never makes one look longer.
 */
export class Clock {
  private ahead: number;
  private jumped = 0;

  constructor(private readonly runtime: Runtime) {
    this.ahead = runtime.wall() - runtime.monotonic();
  }

  /** Milliseconds, never going back. */
  now(): number {
    const monotonic = this.runtime.monotonic();
    const ahead = this.runtime.wall() - monotonic;
    const jump = ahead - this.ahead;
    if (jump >= SMALLEST_JUMP) {
      this.jumped += jump;
      this.ahead = ahead;
    } else if (jump <= -SMALLEST_JUMP) {
      this.ahead = ahead;
    }
    return monotonic + this.jumped;
  }
}
