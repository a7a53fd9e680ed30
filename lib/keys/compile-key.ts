import { LockKeyError } from '../errors/lock-key.error.js';
import { checkName, checkNames } from './check-name.js';
import { parseKeyTemplate, type KeyTemplate } from './key-template.js';

/** Names the locks of one call, from its arguments and the object it was made on. */
export type CompiledKey = (args: readonly unknown[], self: unknown) => readonly string[];

/** What a key may be where it is used. */
export interface KeyScope {
  /** The decorated method, for messages. */
  readonly where: string;
  /** Whether several keys can be taken at once. */
  readonly several: boolean;
  /** Whether there is an object whose fields `<this.field>` could read. */
  readonly self: boolean;
}

/**
 * Turns what a decorator was given as key into a function of the call.
 *
 * @param key a template, a list of them, or a function of the arguments
 * @throws LockKeyError for anything else and for a malformed template
 */
export function compileKey(key: unknown, scope: KeyScope): CompiledKey {
  if (typeof key === 'function') return compileFunction(key as (...args: unknown[]) => unknown, scope);
  if (typeof key !== 'string' && !Array.isArray(key)) {
    throw new LockKeyError(
      `${scope.where}: the key is of type ${key === null ? 'null' : typeof key}; it must be a template such as 'order:<0>', or a function of the arguments.`,
    );
  }
  const templates = namesOf(key, scope.where, scope).map((template) => compileTemplate(template, scope));
  return (args, self) => templates.map((template) => template.render(args, self));
}

function namesOf(key: unknown, place: string, { several }: KeyScope): readonly string[] {
  return several ? checkNames(key, place) : [checkName(key, place)];
}

function compileTemplate(text: string, { where, self }: KeyScope): KeyTemplate {
  const template = parseKeyTemplate(text, where);
  if (template.usesThis && !self) {
    throw new LockKeyError(
      `${where}: key template '${text}' reads a field of <this>, which does not exist here; use the arguments, such as <0.params.id>.`,
    );
  }
  return template;
}

function compileFunction(key: (...args: unknown[]) => unknown, scope: KeyScope): CompiledKey {
  const { where } = scope;
  return (args) => {
    const names = callKey(key, args, where);
    if (isThenable(names)) {
      // It is refused here; that it may also fail is no news to anybody.
      Promise.resolve(names).catch(() => undefined);
      throw new LockKeyError(
        `${where}: the key function returned a promise; it must return the key itself, without await.`,
      );
    }
    return namesOf(names, `${where}, result of the key function`, scope);
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
