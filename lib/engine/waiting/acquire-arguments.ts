import type { ScriptArguments } from '../connection/servers.interface.js';
import type { EngineTimes } from '../engine-context.js';
import type { Waiter } from './waiter.js';

interface AcquireManner {
  /** We can be pushed. */
  readonly pushable: boolean;
  /** A place in the queue is wanted where the lock is busy. */
  readonly queues: boolean;
}

/** Arguments of the acquire scripts for these waiters; without any, a free lock is only handed on. */
export function acquireArguments(
  { commandTimeout, pollInterval }: EngineTimes,
  { pushable, queues }: AcquireManner,
  waiters: readonly Waiter[],
): ScriptArguments {
  return (server) => {
    const notAfter = server.now() + commandTimeout;
    const head = [notAfter, server.lastFence, pollInterval, pushable ? 1 : 0, queues ? 1 : 0];
    return [...head, ...waiters.flatMap((waiter) => waiter.arguments())];
  };
}
