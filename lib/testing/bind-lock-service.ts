import { LockOptionsError } from '../errors/index.js';
import type { LockService } from '../lock.service.js';
import { classNameOf } from '../class-name-of.js';
import { LOCKED_CONNECTIONS, getLockServiceProperty } from '../redis-lock.constants.js';
import { NOTHING_TO_BIND } from '../redis-lock.messages.js';

/**
 * Gives `service` to the locked methods of an object that was made with `new`, as a unit test does. In an application Nest
 * does this.
 *
 * @returns the object
 * @throws LockOptionsError when it has no locked methods
 * @publicApi
 */
export function bindLockService<T extends object>(instance: T, service: LockService): T {
  const connections = Reflect.getMetadata(LOCKED_CONNECTIONS, instance) as (string | undefined)[] | undefined;
  if (connections === undefined) throw new LockOptionsError(NOTHING_TO_BIND(classNameOf(instance) || 'the object'));
  for (const connection of connections) {
    Object.defineProperty(instance, getLockServiceProperty(connection), {
      value: service,
      configurable: true,
      writable: true,
    });
  }
  return instance;
}
