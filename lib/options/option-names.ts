/** Options of `acquire` and `tryAcquire`. */
export const ACQUIRE_OPTIONS: ReadonlySet<string> = new Set([
  'ttl',
  'renew',
  'wait',
  'signal',
  'maxHold',
  'minHold',
  'reentrant',
  'headStart',
  'replicas',
  'fair',
  'releaseMode',
]);

/** Options of `withLock` and `withSemaphore`. */
export const SECTION_OPTIONS: ReadonlySet<string> = new Set([...ACQUIRE_OPTIONS, 'onLost']);

/** Options of the decorators. */
export const DECORATOR_OPTIONS: ReadonlySet<string> = new Set([...SECTION_OPTIONS, 'onBusy', 'connection']);

/** Options of `LockInterceptor.with`, which alone sees who calls. */
export const INTERCEPTOR_OPTIONS: ReadonlySet<string> = new Set([...DECORATOR_OPTIONS, 'abortOnDisconnect']);

/** Options that a module can give a default. */
export const DEFAULT_OPTIONS: ReadonlySet<string> = new Set(
  [...DECORATOR_OPTIONS].filter((name) => name !== 'signal' && name !== 'connection'),
);

/** Options of the module itself. */
export const MODULE_OPTIONS: ReadonlySet<string> = new Set([
  'connection',
  'namespace',
  'defaults',
  'commandTimeout',
  'handoffTtl',
  'cohort',
  'pollInterval',
  'shutdownTimeout',
  'logger',
]);

/** Known, but not part of this version. */
export const NOT_BUILT: ReadonlySet<string> = new Set(['permits']);
