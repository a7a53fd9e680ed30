import { LockOptionsError } from '../errors/index.js';
import { checkLimit } from '../options/check-limit.js';
import { UNNAMED_SEMAPHORE } from '../redis-lock.messages.js';
import type { SemaphoreDecorator } from './lock-decorator.type.js';
import { lockMethod } from './lock-method.js';
import { alwaysFair, lockSpec } from '../context/lock-spec.js';
import type { DecoratedMethod } from './placement.js';

/**
 * Lets at most `limit` calls run at once for each key, in all processes, in the order of arrival. The rules for methods are
 * those of `WithLock`.
 *
 * @param limit how many may run at once; each caller's own, so a lower one holds once every process has it
 * @example
 * ```ts
 * @Semaphore(5, 'gateway:<0>')
 * async charge(tenant: string) {}
 * ```
 * @publicApi
 */
export const Semaphore: SemaphoreDecorator = (limit: number, key?: unknown, options?: Parameters<typeof lockSpec>[1]) =>
  lockMethod('@Semaphore', options?.connection, (method, where) => ({
    ...alwaysFair(lockSpec(key === undefined ? ownKey(method, where) : key, options, where, { several: false }), where),
    kind: 'semaphore',
    limit: checkLimit(limit, where),
  }));

function ownKey({ className, label }: DecoratedMethod, where: string): () => string {
  if (className === '') throw new LockOptionsError(UNNAMED_SEMAPHORE(where));
  return () => label;
}
