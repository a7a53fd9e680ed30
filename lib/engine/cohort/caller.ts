import type { AcquireRequest } from '../acquire-request.interface.js';
import type { HeldLease } from '../holding/held-lease.js';
import type { InLine } from '../collections/line.js';
import { listenToAbort, unlistenToAbort } from '../waiting/abort-listeners.js';
import type { Wait } from '../waiting/waiter.js';

/** One call of this process that wants a lock, in the line of those that want it too. */
export class Caller implements Wait, InLine<Caller> {
  before: Caller | undefined;
  after: Caller | undefined;
  private abort: (() => void) | undefined;

  /** @param since when its wait began, on the monotonic clock */
  constructor(
    readonly request: AcquireRequest,
    readonly since: number,
    readonly granted: (lease: HeldLease) => void,
    readonly refused: (error: unknown) => void,
  ) {}

  /** End of its wait, on the monotonic clock. */
  get deadline(): number {
    return this.since + this.request.wait;
  }

  /** Has this called when the signal of the request aborts. */
  onAbort(listener: () => void): void {
    if (!this.request.signal) return;
    this.abort = listener;
    listenToAbort(this.request.signal, listener);
  }

  /** From here on its signal does not send it away. */
  settle(): void {
    if (this.abort) unlistenToAbort(this.request.signal as AbortSignal, this.abort);
  }
}
