import { LockError } from './lock.error.js';

/**
 * The application is shutting down and takes no new waiters.
 *
 * @publicApi
 */
export class LockClosedError extends LockError {
  constructor(message: string, key?: string) {
    super({ code: 'LOCK_CLOSED', statusCode: 503, publicMessage: 'The service is shutting down.' }, message, key);
  }
}
