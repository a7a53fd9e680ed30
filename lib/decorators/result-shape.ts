import { LockOptionsError } from '../errors/index.js';
import { NO_TYPE_METADATA, SYNC_GENERATOR, SYNC_METHOD } from '../redis-lock.messages.js';
import type { DecoratedMethod } from './placement.js';

/** What a locked method gives to its caller. */
export type ResultShape = 'promise' | 'observable' | 'generator';

/**
 * Tells from the method and from the types that the compiler left what a call gives. A type that the compiler did not know
 * counts as a promise.
 *
 * @param where decorator and method, for messages
 * @throws LockOptionsError for a method that cannot wait for a lock
 */
export function resultShape({ target, propertyKey, original }: DecoratedMethod, where: string): ResultShape {
  // Found also through the wrapper of another decorator that has the method as its prototype.
  const tag = (original as { [Symbol.toStringTag]?: string })[Symbol.toStringTag];
  if (tag === 'AsyncFunction') return 'promise';
  if (tag === 'AsyncGeneratorFunction') return 'generator';
  if (tag === 'GeneratorFunction') throw new LockOptionsError(SYNC_GENERATOR(where));
  if (!Reflect.hasMetadata('design:type', target, propertyKey)) throw new LockOptionsError(NO_TYPE_METADATA(where));
  return shapeOfType(Reflect.getMetadata('design:returntype', target, propertyKey), where);
}

function shapeOfType(type: unknown, where: string): ResultShape {
  if (typeof type !== 'function' || type === Object) return 'promise';
  const prototype = type.prototype as { then?: unknown; subscribe?: unknown } | undefined;
  if (typeof prototype?.then === 'function') return 'promise';
  if (typeof prototype?.subscribe === 'function') return 'observable';
  throw new LockOptionsError(SYNC_METHOD(where, type.name));
}
