import { LockError } from './lock.error.js';

/**
 * An option is wrong, or a decorator stands where it cannot work. Thrown at decoration or boot where possible.
 *
 * @publicApi
 */
export class LockOptionsError extends LockError {
  constructor(message: string, options?: ErrorOptions) {
    super(
      { code: 'LOCK_OPTIONS', statusCode: 500, publicMessage: 'Internal server error' },
      message,
      undefined,
      options,
    );
  }
}
