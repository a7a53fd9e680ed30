import { Alarm } from '../engine/alarm.js';
import { systemRuntime } from '../engine/runtime.js';
import { listenToAbort, unlistenToAbort } from '../engine/waiting/abort-listeners.js';

/** As in the engine, a wait does not get shorter when somebody sets the wall clock. */
export const waitClock = { now: () => systemRuntime.monotonic() };

/** Lets calls that share one holding in one after the other, in the order in which they came. */
export class Turn {
  private taken = false;
  private readonly queue: (() => void)[] = [];

  /**
   * @param wait milliseconds
   * @returns false when the time was over first; rejects with the reason of `signal`
   */
  async take(wait: number, signal?: AbortSignal): Promise<boolean> {
    signal?.throwIfAborted();
    if (!this.taken) {
      this.taken = true;
      return true;
    }
    return wait > 0 && this.enqueue(wait, signal);
  }

  /** Hands the turn to the next in line. */
  pass(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.taken = false;
  }

  private enqueue(wait: number, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        alarm.clear();
        if (signal) unlistenToAbort(signal, abort);
        const place = this.queue.indexOf(enter);
        if (place >= 0) this.queue.splice(place, 1);
      };
      const enter = (): void => {
        leave();
        resolve(true);
      };
      const abort = {
        aborted: () => {
          leave();
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason is the caller's own
          reject(signal?.reason);
        },
      };
      const alarm = new Alarm(systemRuntime, waitClock, () => {
        leave();
        resolve(false);
      });
      this.queue.push(enter);
      if (signal) listenToAbort(signal, abort);
      alarm.set(waitClock.now() + wait);
    });
  }
}
