import { LockError } from './lock.error.js';

/**
 * Somebody else held the lock for the whole of `wait`.
 *
 * @publicApi
 */
export class LockBusyError extends LockError {
  /** Whole seconds until the present lease would end by itself, at least 1; sent as `Retry-After` over HTTP. */
  readonly retryAfter: number;

  /** @param remaining milliseconds left of the present lease; negative when it never ends */
  constructor(message: string, key: string, remaining: number) {
    super(
      { code: 'LOCK_BUSY', statusCode: 423, publicMessage: 'The resource is locked. Try again later.' },
      message,
      key,
    );
    this.retryAfter = Math.max(1, Math.ceil(remaining / 1000));
  }
}
