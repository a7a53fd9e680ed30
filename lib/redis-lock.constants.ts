/*
 * Everything by which parts of the library find each other is a registered symbol, so that two copies of the package in one
 * process work together.
 */

const LOCK_SERVICE = 'nestjs-redis-lock:LockService';

/** Where a `LockService` keeps its way into the locks. */
export const LOCK_GATE = Symbol.for('nestjs-redis-lock:gate:1');

/** Metadata of a prototype: the names of the connections that its locked methods use. */
export const LOCKED_CONNECTIONS = Symbol.for('nestjs-redis-lock:connections');

/**
 * Token under which the service of a module is injected.
 *
 * @param name `name` of the module; none for the unnamed one
 * @publicApi
 */
export function getLockServiceToken(name?: string): symbol {
  return Symbol.for(name === undefined ? LOCK_SERVICE : `${LOCK_SERVICE}:${name}`);
}

/**
 * Property through which an object with locked methods gets its service. Nest prints its description when nothing provides
 * the service, so it says what to do.
 *
 * @internal
 */
export function getLockServiceProperty(name?: string): symbol {
  const options = name === undefined ? '' : `{ name: '${name}' }`;
  return Symbol.for(
    `LockService, which comes from RedisLockModule.forRoot(${options}) in the imports of your root module, or of this one with isGlobal: false`,
  );
}
