export type { Duration } from './duration.type.js';
export type { LockKind } from './lock-kind.type.js';
export type {
  AcquireOptions,
  LockDecoratorOptions,
  LockInterceptorOptions,
  LockOptions,
  ReplicaOptions,
  SemaphoreOptions,
} from './lock-options.interface.js';
export type { Lease } from './lease.interface.js';
export type { KindOptions, LockHolder, LockInspection, LockWaiter } from './inspection.interface.js';
export type {
  LockDefaults,
  RedisClient,
  RedisLockModuleAsyncOptions,
  RedisLockModuleExtras,
  RedisLockModuleOptions,
  RedisLockOptionsFactory,
} from './module-options.interface.js';
