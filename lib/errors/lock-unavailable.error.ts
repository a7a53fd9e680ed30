import { LockError } from './lock.error.js';

/**
 * Redis could not be reached, did not answer in time, or answered with an error, which is the `cause`.
 * Nothing is known about the lock; the section was not entered.
 *
 * @publicApi
 */
export class LockUnavailableError extends LockError {
  constructor(message: string, key?: string, options?: ErrorOptions) {
    super(
      { code: 'LOCK_UNAVAILABLE', statusCode: 503, publicMessage: 'Locks are not available at the moment.' },
      message,
      key,
      options,
    );
  }
}
