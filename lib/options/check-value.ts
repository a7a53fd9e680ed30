import { LockOptionsError } from '../errors/lock-options.error.js';
import { ownSignal } from './own-signal.js';
import { quoteValue } from './quote-value.js';

/** Looks at the value of one option and gives it in the form in which it is used. */
export type CheckValue = (value: unknown, option: string, where: string) => unknown;

export const checkBoolean: CheckValue = (value, option, where) => {
  if (typeof value === 'boolean') return value;
  throw wrongValue(value, option, where, 'it must be true or false');
};

export function checkOneOf(...choices: readonly string[]): CheckValue {
  const demand = `it must be ${choices.map(quoteValue).join(' or ')}`;
  return (value, option, where) => {
    if (choices.includes(value as string)) return value;
    throw wrongValue(value, option, where, demand);
  };
}

export const checkText: CheckValue = (value, option, where) => {
  if (typeof value === 'string' && value !== '') return value;
  throw wrongValue(value, option, where, 'it must be text');
};

/** By shape: a signal may come from another realm or a polyfill. */
export const checkSignal: CheckValue = (value, option, where) => {
  const signal = value as Partial<AbortSignal> | null;
  const isSignal =
    typeof signal === 'object' &&
    typeof signal?.aborted === 'boolean' &&
    typeof signal.addEventListener === 'function' &&
    typeof signal.removeEventListener === 'function';
  if (isSignal) return ownSignal(value as AbortSignal);
  throw wrongValue(value, option, where, 'it must be an AbortSignal, such as controller.signal');
};

export function wrongValue(value: unknown, option: string, where: string, demand: string): LockOptionsError {
  return new LockOptionsError(`${where}: ${option} is ${quoteValue(value)}; ${demand}.`);
}
