import type { Runtime, TimerHandle } from '../../../lib/engine/runtime.js';
import { EPOCH } from '../core/globals.js';
import type { Random } from '../core/random.js';
import type { Scheduler } from '../core/scheduler.js';
import type { SimEvent } from '../core/sim-event.js';
import type { SimProcess } from '../core/sim-process.js';

/** Clocks, timers and chance of one simulated process. */
export class SimRuntime implements Runtime {
  readonly host = 'sim';
  readonly pid: number;
  /** How far the wall clock is from simulated time, ms; it may be set. */
  skew: number;
  /** By how much it runs fast. */
  private readonly drift: number;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly random_: Random,
    private readonly process: SimProcess,
    clocks: { readonly skew: number; readonly drift: number },
  ) {
    this.skew = clocks.skew;
    this.drift = clocks.drift;
    this.pid = random_.int(2, 32_000);
  }

  monotonic(): number {
    return this.scheduler.now - this.process.suspended;
  }

  wall(): number {
    return Math.floor(EPOCH + this.scheduler.now * (1 + this.drift) + this.skew);
  }

  setTimeout(callback: () => void, ms: number): TimerHandle {
    // An event loop is a little late, and never early.
    return this.scheduler.plan(Math.max(1, ms) + this.random_.next(), 'timer', callback, this.process);
  }

  clearTimeout(timer: TimerHandle): void {
    (timer as SimEvent).cancelled = true;
  }

  random(): number {
    return this.random_.next();
  }

  randomBytes(size: number): Buffer {
    return this.random_.bytes(size);
  }
}
