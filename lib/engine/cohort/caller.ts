import type { AcquireRequest } from '../acquire-request.interface.js';
import { Alarm } from '../alarm.js';
import type { HeldLease } from '../holding/held-lease.js';
import type { Runtime } from '../runtime.js';
import { listenToAbort, unlistenToAbort } from '../waiting/abort-listeners.js';
import type { Wait } from '../waiting/waiter.js';

/** Where a caller says that it goes. */
export interface CallerHost {
  expired(caller: Caller): void;
  aborted(caller: Caller): void;
}

/** One call of this process that wants a lock, in the line of those that want it too. */
export class Caller implements Wait {
  before: Caller | undefined;
  after: Caller | undefined;
  private deadline: Alarm | undefined;

  constructor(
    private readonly host: CallerHost,
    readonly request: AcquireRequest,
    readonly since: number,
    private readonly onGranted: (lease: HeldLease) => void,
    private readonly onRefused: (error: unknown) => void,
  ) {
    if (request.signal) listenToAbort(request.signal, this.abort);
  }

  /**
   * Ends the waiting in time. Most calls have their lock with the first answer and need no timer, so it is set when it turns
   * out that there is something to wait for.
   */
  setDeadline(runtime: Runtime): void {
    if (this.deadline) return;
    this.deadline = new Alarm(runtime, { now: () => runtime.monotonic() }, () => this.host.expired(this));
    this.deadline.set(this.since + this.request.wait);
  }

  granted(lease: HeldLease): void {
    this.onGranted(lease);
  }

  refused(error: unknown): void {
    this.onRefused(error);
  }

  /** From here on neither its time nor its signal sends it away. */
  settle(): void {
    this.deadline?.clear();
    if (this.request.signal) unlistenToAbort(this.request.signal, this.abort);
  }

  private readonly abort = (): void => this.host.aborted(this);
}
