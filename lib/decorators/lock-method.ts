import { Inject } from '@nestjs/common';
import { getLockServiceProperty, getLockServiceToken, LOCKED_CONNECTIONS } from '../redis-lock.constants.js';
import { callAsGenerator } from './generator-call.js';
import type { LockSpec } from '../context/lock-spec.js';
import { LockedMethod } from './locked-method.js';
import { callAsObservable } from './observable-call.js';
import { checkPlacement, type DecoratedMethod, type Method } from './placement.js';
import { callAsPromise } from './promise-call.js';
import { resultShape } from './result-shape.js';

const CALLS = { promise: callAsPromise, observable: callAsObservable, generator: callAsGenerator };

/**
 * Puts a lock around a method at the moment of its decoration. Later would be too late: the router, schedulers and other
 * libraries take the method from the class before any hook of ours runs, and would call it without the lock.
 *
 * @param decorator name with `@`, for messages
 * @param connection name of the module
 * @param specify reads the arguments of the decorator
 */
export function lockMethod(
  decorator: string,
  connection: string | undefined,
  specify: (method: DecoratedMethod, where: string) => LockSpec,
): (target: object, propertyKey: PropertyKey, descriptor: PropertyDescriptor) => void {
  return (target, propertyKey, descriptor) => {
    const method = checkPlacement(decorator, target, propertyKey, descriptor);
    const where = `${decorator} on ${method.label}`;
    const shape = resultShape(method, where);
    const property = getLockServiceProperty(connection);
    const locked = new LockedMethod(method, specify(method, where), shape, property);
    injectService(target, connection, property);
    descriptor.value = wrap(locked);
    placeEarly(target, propertyKey, descriptor);
  };
}

/** The compiler does so behind the last decorator; but some look at the class, and would take the method without its lock. */
function placeEarly(target: object, propertyKey: PropertyKey, descriptor: PropertyDescriptor): void {
  const present = Object.getOwnPropertyDescriptor(target, propertyKey);
  if (present?.configurable) Object.defineProperty(target, propertyKey, descriptor);
}

/**
 * Nest keeps routes, guards and the like on the function; as its prototype, the original shows them all, early or late. Those
 * that are there already are put on the wrapper, too: other decorators that replace the function copy only what is its own,
 * and would leave a guard behind.
 */
function wrap(locked: LockedMethod): Method {
  const { original, shape } = locked;
  const call = CALLS[shape];
  const wrapper = function (this: unknown, ...args: unknown[]): unknown {
    return call(locked, this, args);
  };
  Object.setPrototypeOf(wrapper, original);
  Object.defineProperty(wrapper, 'name', { value: original.name, configurable: true });
  Object.defineProperty(wrapper, 'length', { value: original.length, configurable: true });
  for (const key of Reflect.getMetadataKeys(original) as unknown[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, original), wrapper);
  }
  return wrapper;
}

function injectService(target: object, connection: string | undefined, property: symbol): void {
  const known = (Reflect.getMetadata(LOCKED_CONNECTIONS, target) ?? []) as (string | undefined)[];
  if (known.includes(connection)) return;
  if (isPrototype(target)) Inject(getLockServiceToken(connection))(target, property);
  Reflect.defineMetadata(LOCKED_CONNECTIONS, [...known, connection], target);
}

/** Nest makes no other objects, and a plain one would enter what it needs for the class `Object`. */
function isPrototype(target: object): boolean {
  return (target as { constructor?: { prototype?: unknown } }).constructor?.prototype === target;
}
