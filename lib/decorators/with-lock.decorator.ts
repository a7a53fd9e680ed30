import type { LockDecorator } from './lock-decorator.type.js';
import { lockMethod } from './lock-method.js';
import { lockSpec } from '../context/lock-spec.js';

/**
 * Runs a method under a lock: one call at a time for each key, in all processes. Within a process calls come in the order of
 * arrival; processes take turns, each for at most as long as the module option `cohort` says. `FairLock` keeps the order of
 * arrival over all processes.
 *
 * The method is async, an async generator, or declared `: Promise<T>` or `: Observable<T>`. A promise holds the lock until it
 * settles, an Observable from each subscription to its end, a generator from the first value to its end. The lock does not
 * cover what goes on after the promise, such as the sending of a `StreamableFile` or an answer to `@Res()` whose end the method
 * does not await.
 *
 * A method that returns an Observable must say so in a way that the compiler can leave behind: declared `: Observable<T>`, and
 * `Observable` imported as a value, not with `import type`. Otherwise its calls give a promise of an Observable, which Nest
 * takes as well, and its body runs once more for each subscription. An async method that resolves to an Observable has its
 * body under one lock and each subscription under another.
 *
 * @example
 * ```ts
 * @WithLock('order:<0>', { wait: '2s' })
 * async pay(orderId: string) {}
 * ```
 * @publicApi
 */
export const WithLock: LockDecorator = (key: unknown, options?: Parameters<typeof lockSpec>[1]) =>
  lockMethod('@WithLock', options?.connection, (_method, where) => lockSpec(key, options, where));
