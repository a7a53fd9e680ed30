import type { LockLostError } from './errors/index.js';

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @internal */
export const NESTED_REFUSED = (key: string, inner: string, outer: string): string =>
  `Lock "${key}" is held by ${outer}, inside of which ${inner} asks for it again with "reentrant: false".`;

/** @internal */
export const SIBLING_BUSY = (key: string, label: string, outer: string, wait: number): string =>
  `Lock "${key}" is in use by another call inside ${outer}; ${label} waited ${wait} ms for its turn.`;

/** @internal */
export const WAIT_BOUNDED = (busy: string, wait: number): string =>
  `${busy} The wait of Infinity ended after ${wait} ms, since another lock is held meanwhile; ` +
  'ask for both in one call, as in withLock([a, b], task), where no order can end in a deadlock.';

/** @internal */
export const LOST_BEFORE_NESTED = (key: string, inner: string, outer: string): string =>
  `Lock "${key}" was lost by ${outer} before ${inner}, which runs inside of it, could enter.`;

/** @internal */
export const LOST_BEFORE_ENTRY = (label: string, lost: LockLostError): string =>
  `${label} was not run, since its lease was over before it could begin; raise ttl. ${lost.message}`;

/** @internal */
export const LOST_AT_RELEASE = (key: string, label: string): string =>
  `Lock "${key}" was no longer held when ${label} gave it back.`;

/** @internal */
export const NOT_HELD = (key: string, label: string): string => `Lock "${key}" is not held by ${label} any more.`;

/** @internal */
export const LOST_IGNORED = (label: string, lost: LockLostError): string =>
  `${label} ended well although its lock was lost, which it ignores: ${lost.message}`;

/** @internal */
export const LOST_IN_BACKGROUND = (label: string, lost: LockLostError): string =>
  `${label} had ended before its release in the background found its lock lost: ${lost.message}`;

/** @internal */
export const RELEASE_FAILED = (key: string, label: string, error: unknown): string =>
  `Lock "${key}" of ${label} could not be released and will run out by itself: ${textOf(error)}`;

/** @internal */
export const LAZY_RESULT = (label: string): string =>
  `${label} returned an Observable or a generator, whose work would start after the release. ` +
  'Give it a lock of its own: a decorated method declared ": Observable<T>", or an "async *" method.';

/** @internal */
export const NO_TASK = (method: string): string =>
  `${method}: the last argument must be the function to run under the lock.`;

/** @internal */
export const MISSING_SERVICE = (label: string, className: string): string =>
  `${label} has no LockService, so it was not run. Its object was not made by Nest (or before the module was initialised): ` +
  `register ${className} as a class provider, in a module that imports RedisLockModule unless that is global, ` +
  "or use bindLockService(instance, service) from 'nestjs-redis-lock/testing' in a unit test.";

/** @internal */
export const MISSING_INTERCEPTOR_SERVICE = (): string =>
  'LockInterceptor has no LockService, so the handler was not run. Pass LockInterceptor.with(...) itself to @UseInterceptors ' +
  'or provide it as APP_INTERCEPTOR; an instance made with "new" is not injected.';

/** @internal */
export const BARE_INTERCEPTOR = (): string => 'LockInterceptor needs a key: use LockInterceptor.with(key, options).';

/** @internal */
export const STANDARD_DECORATOR = (decorator: string): string =>
  `${decorator} was called as a standard decorator. Nest and its decorators need the compiler options "experimentalDecorators" ` +
  'and "emitDecoratorMetadata" (in SWC "legacyDecorator" and "decoratorMetadata").';

/** @internal */
export const NOT_A_METHOD = (where: string): string =>
  `${where} can only stand on an instance method, not on a static method, an accessor, a property or a class.`;

/** @internal */
export const NO_TYPE_METADATA = (where: string): string =>
  `${where}: make the method async. It is not, and there is no type metadata to tell what it returns ` +
  '(the compiler option "emitDecoratorMetadata", for methods declared ": Promise<T>" or ": Observable<T>").';

/** @internal */
export const SYNC_METHOD = (where: string, type: string): string =>
  `${where}: make the method async. It returns ${type}, and a lock cannot be taken without waiting.`;

/** @internal */
export const SYNC_GENERATOR = (where: string): string =>
  `${where}: make it an async generator ("async *"). A lock cannot be taken without waiting.`;

/** @internal */
export const UNNAMED_SEMAPHORE = (where: string): string =>
  `${where} needs a key, since its class has no name to make one of.`;

/** @internal */
export const FROZEN_PROVIDER = (provider: string): string =>
  `Provider ${provider} has locked methods but cannot be given the LockService, since it is frozen; they will fail.`;

/** @internal */
export const NOTHING_TO_BIND = (className: string): string =>
  `bindLockService: ${className} has no method with a lock decorator.`;
