import type { LockDecorator } from './lock-decorator.type.js';
import { lockMethod } from './lock-method.js';
import { alwaysFair, lockSpec } from '../context/lock-spec.js';

/**
 * Runs a method under a lock that is granted strictly in the order of arrival, over all processes, as long as all who use the
 * key ask for it in this way. It shares its keys with `WithLock`, whose rules for methods hold here too.
 *
 * @example
 * ```ts
 * @FairLock('seat:<0.showId>')
 * async reserve(dto: ReserveDto) {}
 * ```
 * @publicApi
 */
export const FairLock: LockDecorator = (key: unknown, options?: Parameters<typeof lockSpec>[1]) =>
  lockMethod('@FairLock', options?.connection, (_method, where) => alwaysFair(lockSpec(key, options, where), where));
