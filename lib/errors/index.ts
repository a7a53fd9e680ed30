export { LockError, type LockErrorCode } from './lock.error.js';
export { LockBusyError } from './lock-busy.error.js';
export { LockClosedError } from './lock-closed.error.js';
export { LockKeyError } from './lock-key.error.js';
export { LockLostError } from './lock-lost.error.js';
export { LockOptionsError } from './lock-options.error.js';
export { LockUnavailableError } from './lock-unavailable.error.js';
