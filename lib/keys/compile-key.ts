import { LockKeyError } from '../errors/lock-key.error.js';
import { checkName } from './check-name.js';
import { parseKeyTemplate } from './key-template.js';

/** Names the lock of one call, from its arguments and the object it was made on. */
export type CompiledKey = (args: readonly unknown[], self: unknown) => string;

/**
 * Turns what a decorator was given as key into a function of the call.
 *
 * @param key a template or a function of the arguments
 * @param where the decorated method, for messages
 * @throws LockKeyError for anything else and for a malformed template
 */
export function compileKey(key: unknown, where: string): CompiledKey {
  if (typeof key === 'function') {
    return compileFunction(key as (...args: unknown[]) => unknown, where);
  }
  if (typeof key !== 'string' && !Array.isArray(key)) {
    throw new LockKeyError(
      `${where}: the key is of type ${key === null ? 'null' : typeof key}; it must be a template such as 'order:<0>', or a function of the arguments.`,
    );
  }
  const template = parseKeyTemplate(checkName(key, where), where);
  return (args, self) => template.render(args, self);
}

function compileFunction(key: (...args: unknown[]) => unknown, where: string): CompiledKey {
  return (args) => {
    const name = callKey(key, args, where);
    if (isThenable(name)) {
      // It is refused here; that it may also fail is no news to anybody.
      Promise.resolve(name).catch(() => undefined);
      throw new LockKeyError(
        `${where}: the key function returned a promise; it must return the key itself, without await.`,
      );
    }
    return checkName(name, `${where}, result of the key function`);
  };
}

function callKey(key: (...args: unknown[]) => unknown, args: readonly unknown[], where: string): unknown {
  try {
    return key(...args);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'see its cause';
    throw new LockKeyError(`${where}: the key function failed: ${reason}`, { cause });
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
