export { RedisLockModule } from './redis-lock.module.js';
export { getLockServiceToken } from './redis-lock.constants.js';
export { LockService, type LockKeys, type LockTask } from './lock.service.js';
export { LockInterceptor, type InterceptorKey } from './lock.interceptor.js';
export { currentLease } from './context/current-lease.js';
export { FairLock, InjectLockService, Semaphore, WithLock } from './decorators/index.js';
export { lockKey } from './keys/lock-key.js';
export {
  LockBusyError,
  LockClosedError,
  LockError,
  LockKeyError,
  LockLostError,
  LockOptionsError,
  LockUnavailableError,
  type LockErrorCode,
} from './errors/index.js';
export type {
  AcquireOptions,
  Duration,
  KindOptions,
  Lease,
  LockDecoratorOptions,
  LockDefaults,
  LockHolder,
  LockInspection,
  LockInterceptorOptions,
  LockKind,
  LockOptions,
  LockWaiter,
  RedisClient,
  RedisLockModuleAsyncOptions,
  RedisLockModuleOptions,
  RedisLockOptionsFactory,
  ReplicaOptions,
  SemaphoreOptions,
} from './interfaces/index.js';
