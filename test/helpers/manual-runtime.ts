import { randomBytes } from 'node:crypto';
import type { Runtime, TimerHandle } from '../../lib/engine/runtime.js';

interface ManualTimer extends TimerHandle {
  readonly at: number;
  readonly callback: () => void;
}

/** Clocks and timers that move only when a test moves them. */
export class ManualRuntime implements Runtime {
  now = 1_000;
  wallClock = 1_700_000_000_000;
  readonly host = 'host';
  readonly pid = 1;
  /** Every timeout that was asked for, ms. */
  readonly asked: number[] = [];
  private readonly timers = new Set<ManualTimer>();

  monotonic(): number {
    return this.now;
  }

  wall(): number {
    return this.wallClock;
  }

  random(): number {
    return 0.5;
  }

  randomBytes(size: number): Buffer {
    return randomBytes(size);
  }

  setTimeout(callback: () => void, ms: number): TimerHandle {
    this.asked.push(ms);
    const timer: ManualTimer = { at: this.now + ms, callback };
    this.timers.add(timer);
    return timer;
  }

  clearTimeout(timer: TimerHandle): void {
    this.timers.delete(timer as ManualTimer);
  }

  /** Lets both clocks run, and fires what becomes due on the way. */
  pass(ms: number): void {
    const end = this.now + ms;
    for (let next = this.nextBefore(end); next; next = this.nextBefore(end)) {
      this.moveTo(next.at);
      this.timers.delete(next);
      next.callback();
    }
    this.moveTo(end);
  }

  private nextBefore(end: number): ManualTimer | undefined {
    return [...this.timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }

  private moveTo(at: number): void {
    this.wallClock += at - this.now;
    this.now = at;
  }
}
