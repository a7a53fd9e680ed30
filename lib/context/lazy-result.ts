import { isObservable, type Observable } from 'rxjs';
import { LockOptionsError } from '../errors/index.js';
import { LAZY_RESULT } from '../redis-lock.messages.js';

/** A result whose work starts only when somebody asks for it, which would be after the release. */
export type LazyResult = Observable<unknown> | AsyncGenerator<unknown, unknown, unknown>;

export function isLazyResult(value: unknown): value is LazyResult {
  return typeof value === 'object' && value !== null && (isObservable(value) || isAsyncGenerator(value));
}

export function isAsyncGenerator(value: unknown): value is AsyncGenerator<unknown, unknown, unknown> {
  return Object.prototype.toString.call(value) === '[object AsyncGenerator]';
}

/** @throws LockOptionsError */
export function refuseLazyResult(value: unknown, label: string): void {
  if (isLazyResult(value) || isGenerator(value)) throw new LockOptionsError(LAZY_RESULT(label));
}

export function isGenerator(value: unknown): value is Generator {
  return Object.prototype.toString.call(value) === '[object Generator]';
}
