import type { AcquireRequest } from '../acquire-request.interface.js';
import type { InLine } from '../collections/line.js';
import type { HeldLease } from '../holding/held-lease.js';
import type { AbortListener } from '../waiting/abort-listeners.js';
import type { Wait } from '../waiting/waiter.js';

/** Where a caller stands in line. */
export interface CallerHost {
  /** Its signal sends the caller away. */
  aborted(caller: Caller): void;
}

/** One call of this process that wants a lock, in the line of those that want it too. */
export class Caller implements Wait, InLine<Caller>, AbortListener {
  before: Caller | undefined;
  after: Caller | undefined;

  /** @param since when its wait began, on the monotonic clock */
  constructor(
    private readonly host: CallerHost,
    readonly request: AcquireRequest,
    readonly since: number,
    readonly granted: (lease: HeldLease) => void,
    readonly refused: (error: unknown) => void,
  ) {}

  /** End of its wait, on the monotonic clock. */
  get deadline(): number {
    return this.since + this.request.wait;
  }

  aborted(): void {
    this.host.aborted(this);
  }
}
