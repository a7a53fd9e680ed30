import type { LockLostError } from '../errors/lock-lost.error.js';

/** What a public lease shows. */
export interface Grant {
  readonly name: string;
  readonly token: string;
  readonly fence: number;
  /** Made at the first use; aborts once with `lost` as reason. */
  readonly signal: AbortSignal;
  /** Looks at the clock; true only while ownership is certain. */
  readonly held: boolean;
  /** Milliseconds of certain ownership left. */
  readonly remaining: number;
  /** Why the holding ended before its release; looks at the clock. */
  readonly lost: LockLostError | undefined;
  /** Calls `listener` once at the loss (at once if it is lost already); returns a function that takes it off. */
  onLost(listener: (error: LockLostError) => void): () => void;
  /** @param ttl milliseconds */
  extend(ttl: number): Promise<void>;
}

/** A grant that the engine keeps alive. */
export interface Holding extends Grant {
  readonly label: string;
  /** One release for all calls; see `Lease.release`. */
  release(): Promise<boolean>;
  /** Releases a grant that no work has run under: a `minHold` does not keep it. */
  decline(): Promise<boolean>;
  /** Stops renewing: the owner of the handle is gone and the lease may lapse. */
  abandon(): void;
}
