import type { Duration } from './duration.type.js';

/**
 * A lock, or a permit of a semaphore, that was granted to the caller for a bounded time. Of several locks it is worth something
 * as long as all are held.
 *
 * @publicApi
 */
export interface Lease extends AsyncDisposable {
  /** Name of the lock as it was asked for, without namespace; the first of several. */
  readonly key: string;
  /** All names this lease covers, each once. */
  readonly keys: readonly string[];
  /** Value that marks this holding in Redis, unique to it; of several, that of the first key. */
  readonly token: string;
  /**
   * Fencing token: rises with every grant of the key, below 2^53; the highest of several. Hand it to the resource that the lock protects and let
   * it refuse a number below the highest that it has seen.
   */
  readonly fence: number;
  /** Aborts once when the lease is lost, with a `LockLostError` as reason. Not aborted by a release. */
  readonly signal: AbortSignal;
  /** Looks at the clock: true only while ownership is certain. */
  readonly held: boolean;
  /** Milliseconds for which ownership is certain without another renewal; 0 when not held. */
  readonly remaining: number;
  /**
   * Throws unless the lease is held at this moment.
   *
   * @throws LockLostError
   */
  assertHeld(): void;
  /**
   * Makes the lease last at least `ttl` from now; never shortens it.
   *
   * @throws LockLostError when the lease is no longer ours
   * @throws LockUnavailableError when Redis does not answer
   */
  extend(ttl: Duration): Promise<void>;
  /**
   * Gives the lock back. Further calls give the answer of the first.
   *
   * @returns false when the lease was no longer ours
   * @throws LockUnavailableError when Redis does not answer; the lease then runs out by itself
   */
  release(): Promise<boolean>;
  /**
   * Releases at the end of an `await using` block, as `releaseMode` says. Never rejects, so that the error of the block is not
   * hidden.
   */
  [Symbol.asyncDispose](): Promise<void>;
}
