export { FairLock } from './fair-lock.decorator.js';
export { InjectLockService } from './inject-lock-service.decorator.js';
export { Semaphore } from './semaphore.decorator.js';
export { WithLock } from './with-lock.decorator.js';
