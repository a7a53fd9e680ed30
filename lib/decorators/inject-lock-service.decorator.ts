import { Inject } from '@nestjs/common';
import { getLockServiceToken } from '../redis-lock.constants.js';

/**
 * Injects the `LockService` of a named module; without a name it is the same as injecting the class.
 *
 * @param name `name` of the module
 * @publicApi
 */
export const InjectLockService = (name?: string): ReturnType<typeof Inject> => Inject(getLockServiceToken(name));
