import type { Waiter } from './waiter.js';

interface AcquireManner {
  /** We can be pushed. */
  readonly pushable: boolean;
  /** A place in the queue is wanted where the lock is busy. */
  readonly queues: boolean;
  /** A word on the channel is wanted when the lock is busy. */
  readonly greeted?: boolean;
}

/**
 * What the acquire scripts are asked for these waiters of one lock; without any, it is only handed on where it is free. In one
 * text: each argument of a command costs the client more than its characters do.
 */
export function acquireText({ pushable, queues, greeted = false }: AcquireManner, waiters: readonly Waiter[]): string {
  let text = `${(greeted ? 4 : 0) + (pushable ? 2 : 0) + (queues ? 1 : 0)}`;
  for (const { token, leases, place } of waiters) text += ` ${token} ${leases.plain} ${place}`;
  return text;
}
