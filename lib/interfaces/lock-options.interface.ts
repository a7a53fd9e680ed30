import type { Duration } from './duration.type.js';

/**
 * How many replicas must have a lock before the caller gets it. After a failover to one of them nobody else holds the lock;
 * the window is closed only where `min` is every replica, since a failover chooses among all.
 *
 * @publicApi
 */
export interface ReplicaOptions {
  /** How many, at least 1. */
  min: number;
  /**
   * How long to wait for them.
   *
   * @default '1s'
   */
  timeout?: Duration;
}

/**
 * How one acquisition is waited for and held. Every option is also a module default.
 *
 * @publicApi
 */
export interface AcquireOptions {
  /**
   * Lease: how long the server keeps the lock after the holder was last heard of. At least 100 ms.
   * After a hand-off the first lease is at most `handoffTtl`, until the first renewal.
   *
   * @default '10s'
   */
  ttl?: Duration;
  /**
   * Renew the lease at a third of it for as long as the work goes on.
   *
   * @default true
   */
  renew?: boolean;
  /**
   * How long to wait for a busy lock. `0` tries once; `Infinity` waits without limit.
   *
   * @default '5s'
   */
  wait?: Duration;
  /** Ends the waiting when it aborts; the call then rejects with `signal.reason`. It does not end a lock that was granted. */
  signal?: AbortSignal;
  /**
   * Longest time to hold: renewal stops there and `lease.signal` aborts.
   *
   * @default Infinity
   */
  maxHold?: Duration;
  /**
   * Shortest time to hold, counted from the grant: a release before that keeps the lock closed to everybody until then.
   * For jobs that several processes start at slightly different times.
   *
   * @default 0
   */
  minHold?: Duration;
  /**
   * Let a call that already holds the key in this asynchronous context enter at once. With `false` such a call fails.
   *
   * @default true
   */
  reentrant?: boolean;
  /**
   * Date this waiter's place in the queue back by so much. It overtakes those who came less than that before it, nobody else.
   *
   * @default 0
   */
  headStart?: Duration;
  /**
   * Wait for replicas before the call gets the lock. When too few have it in time it is given back, and the call rejects with
   * `LockUnavailableError`. Costs one more command and one more answer of the replicas per acquisition.
   */
  replicas?: ReplicaOptions;
  /**
   * Whether the end of the work waits for the answer to its release. With `'background'` the release is sent just the same,
   * ahead of whatever this process asks for next, but the result or the error of the work passes at once.
   *
   * What only the answer says then comes too late for the caller. A lock that turns out to have been somebody else's by then is
   * a warning in the log and a `lost` event, and aborts `lease.signal`, instead of a `LockLostError`, whatever `onLost` says; a
   * loss that is known when the work ends still counts. A release without an answer is a warning in both modes. `signal` ends
   * no release. Shutdown waits for the answers; a process that ends without one may leave the lock to its lease.
   *
   * `await using` follows this option. `lease.release()` is always answered.
   *
   * @default 'await'
   */
  releaseMode?: 'await' | 'background';
  /**
   * Grant the lock strictly in the order of arrival over all processes, as `@FairLock` does. Without it the callers of one
   * process share one place in the queue and pass the lock on among themselves, within the limits of the module option `cohort`,
   * which is many times faster on a key that many want. Semaphores are always fair.
   *
   * @default false
   */
  fair?: boolean;
}

/**
 * Options of a locked section.
 *
 * @publicApi
 */
export interface LockOptions extends AcquireOptions {
  /**
   * What happens when the lease was lost while the section ran and the section itself did not fail: reject with
   * `LockLostError` (the result is attached), or pass the result on and log a warning.
   *
   * @default 'throw'
   */
  onLost?: 'throw' | 'ignore';
}

/**
 * Options of a section guarded by a semaphore.
 *
 * @publicApi
 */
export type SemaphoreOptions = Omit<LockOptions, 'fair'>;

/**
 * Options of the decorators; `LockInterceptor.with` has one more.
 *
 * @publicApi
 */
export interface LockDecoratorOptions extends LockOptions {
  /**
   * What a busy lock means: an error, or that the call is skipped and gives `undefined`.
   * `'skip'` makes `wait` 0 unless a `wait` stands beside it, since a waiting replica would run the job a second time.
   *
   * @default 'throw'
   */
  onBusy?: 'throw' | 'skip';
  /** Name of the `RedisLockModule` whose connection is used; the unnamed one by default. */
  connection?: string;
}

/**
 * Options of `LockInterceptor.with`.
 *
 * @publicApi
 */
export interface LockInterceptorOptions extends LockDecoratorOptions {
  /**
   * End the waiting when the client goes away: its place in the queue is given up and the handler is not called. Work that
   * has begun is not touched.
   *
   * Over HTTP, also that of GraphQL, the client is gone when its connection closes before the response has ended; in a
   * gateway when its socket closes. A message broker or a TCP microservice has no connection for each caller: there it has
   * no effect. In a GraphQL resolver `res` (or `req`) must be part of the context, as it is by default.
   *
   * @default false
   */
  abortOnDisconnect?: boolean;
}
