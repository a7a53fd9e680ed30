import { classNameOf } from '../class-name-of.js';
import { LockOptionsError } from '../errors/index.js';
import { NOT_A_METHOD, STANDARD_DECORATOR } from '../redis-lock.messages.js';

export type Method = (this: unknown, ...args: unknown[]) => unknown;

/** A method as its decorator finds it. */
export interface DecoratedMethod {
  /** Prototype of the class, or an object that is none's. */
  readonly target: object;
  readonly propertyKey: string | symbol;
  readonly original: Method;
  readonly className: string;
  /** `OrderService.pay` */
  readonly label: string;
}

/**
 * @param decorator name with `@`, for messages
 * @throws LockOptionsError where the decorator cannot work
 */
export function checkPlacement(
  decorator: string,
  target: unknown,
  propertyKey: unknown,
  descriptor: unknown,
): DecoratedMethod {
  const isStatic = typeof target === 'function';
  const className = (isStatic ? target.name : classNameOf(target)) ?? '';
  if (isStatic && propertyKey === undefined) {
    throw new LockOptionsError(NOT_A_METHOD(`${decorator} on ${className || 'a class'}`));
  }
  if (typeof propertyKey !== 'string' && typeof propertyKey !== 'symbol') {
    throw new LockOptionsError(STANDARD_DECORATOR(decorator));
  }
  const label = `${className || 'anonymous'}.${String(propertyKey)}`;
  const original = (descriptor as PropertyDescriptor | undefined)?.value as unknown;
  if (isStatic || typeof original !== 'function') {
    throw new LockOptionsError(NOT_A_METHOD(`${decorator} on ${label}`));
  }
  return { target: target as object, propertyKey, original: original as Method, className, label };
}
