import type { Clock } from './clock.js';
import { LONGEST_TIMEOUT, type Runtime, type TimerHandle } from './runtime.js';

/** One timer that can be set anew, for any moment however far, and that never keeps the process alive. */
export class Alarm {
  private timer: TimerHandle | undefined;
  /** What the clock had jumped by when the timer was set. */
  private jumped = 0;
  /** When it rings, on its clock; Infinity while it is off. */
  at = Infinity;

  constructor(
    private readonly runtime: Runtime,
    private readonly clock: Pick<Clock, 'now'> & Partial<Pick<Clock, 'jumped'>>,
    private readonly ring: () => void,
  ) {}

  set(at: number): void {
    this.clear();
    this.at = at;
    if (at !== Infinity) this.arm(at - this.clock.now());
  }

  /** Only ever earlier. A timer from before a jump of the clock, as after the sleep of a machine, would ring that much late. */
  bringForward(at: number): void {
    if (at < this.at || this.jumped !== (this.clock.jumped ?? 0)) this.set(Math.min(at, this.at));
  }

  clear(): void {
    if (this.timer) this.runtime.clearTimeout(this.timer);
    this.timer = undefined;
    this.at = Infinity;
  }

  private arm(ms: number): void {
    this.jumped = this.clock.jumped ?? 0;
    this.timer = this.runtime.setTimeout(this.fire, Math.min(Math.max(Math.ceil(ms), 0), LONGEST_TIMEOUT));
    this.timer.unref?.();
  }

  private readonly fire = (): void => {
    const left = this.at - this.clock.now();
    if (left > 1) return this.arm(left);
    this.timer = undefined;
    this.at = Infinity;
    this.ring();
  };
}
