import type { LockBusyError } from '../errors/index.js';

/** By code, so that an error of another copy of the package counts too. */
export function isBusy(error: unknown): error is LockBusyError {
  return typeof error === 'object' && error !== null && (error as LockBusyError).code === 'LOCK_BUSY';
}
