import { LockError } from './lock.error.js';

/**
 * The lease ended before the work did, so somebody else may have held the lock meanwhile.
 *
 * @publicApi
 */
export class LockLostError extends LockError {
  /** What the section returned although its lease was lost, where it returned anything. */
  result?: unknown;

  constructor(message: string, key: string, options?: ErrorOptions) {
    super(
      { code: 'LOCK_LOST', statusCode: 409, publicMessage: 'The lock was lost during the operation.' },
      message,
      key,
      options,
    );
  }
}
