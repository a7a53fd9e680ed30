import { Inject } from '@nestjs/common';
import { LockOptionsError } from '../errors/index.js';
import { getLockServiceToken } from '../redis-lock.constants.js';
import { STANDARD_DECORATOR } from '../redis-lock.messages.js';

/**
 * Injects the `LockService` of a named module; without a name it is the same as injecting the class.
 *
 * @param name `name` of the module
 * @publicApi
 */
export const InjectLockService = (name?: string): ReturnType<typeof Inject> => {
  const inject = Inject(getLockServiceToken(name));
  return (target: object | undefined, key: string | symbol | undefined, index?: number) => {
    // A standard decorator of a field is handed no target.
    if (target === undefined) throw new LockOptionsError(STANDARD_DECORATOR('@InjectLockService'));
    inject(target, key as string, index as number);
  };
};
