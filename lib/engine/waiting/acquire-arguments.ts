import type { ScriptArgument } from '../connection/scripts.js';
import type { Waiter } from './waiter.js';

interface AcquireManner {
  /** We can be pushed. */
  readonly pushable: boolean;
  /** A place in the queue is wanted where the lock is busy. */
  readonly queues: boolean;
}

/** Arguments of the acquire scripts for these waiters of one lock; without any, it is only handed on where it is free. */
export function acquireArguments(
  { pushable, queues }: AcquireManner,
  waiters: readonly Waiter[],
): readonly ScriptArgument[] {
  const manner = 4 * waiters.length + (pushable ? 2 : 0) + (queues ? 1 : 0);
  const [first] = waiters;
  // An array that grows by itself takes several times the memory.
  if (first && waiters.length === 1) return [manner, first.token, first.leases.plain, first.place];
  const args: ScriptArgument[] = [manner];
  for (const { token, leases, place } of waiters) args.push(token, leases.plain, place);
  return args;
}
