import { LockError } from './lock.error.js';

/**
 * A key could not be built from the arguments of the call, or a key template is malformed.
 *
 * @publicApi
 */
export class LockKeyError extends LockError {
  constructor(message: string, options?: ErrorOptions) {
    super({ code: 'LOCK_KEY', statusCode: 500, publicMessage: 'Internal server error' }, message, undefined, options);
  }
}
