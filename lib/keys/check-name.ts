import { LockKeyError } from '../errors/lock-key.error.js';
import { isWellFormed } from './is-well-formed.js';

/**
 * Whole name of a lock, as a caller or a key function gave it.
 *
 * @param where the call it belongs to, for the message
 * @throws LockKeyError
 */
export function checkName(name: unknown, where: string): string {
  if (typeof name !== 'string') {
    throw new LockKeyError(`${where}: ${describeNonText(name)}`);
  }
  if (name.trim() === '') {
    throw new LockKeyError(`${where}: the key is ${name === '' ? 'empty' : 'blank'}; name what is to be locked.`);
  }
  if (!isWellFormed(name)) {
    throw new LockKeyError(`${where}: the key holds half of a surrogate pair, which Redis could not store unchanged.`);
  }
  return name;
}

/**
 * Names of the locks of one call: one, or a list of them.
 *
 * @throws LockKeyError
 */
export function checkNames(names: unknown, where: string): readonly string[] {
  if (!Array.isArray(names)) return [checkName(names, where)];
  if (names.length === 0) throw new LockKeyError(`${where}: the list of keys is empty; name what is to be locked.`);
  return names.map((name, index) => checkName(name, `${where}, key ${index}`));
}

function describeNonText(name: unknown): string {
  if (Array.isArray(name)) {
    return 'the key is an array; this takes one key.';
  }
  const kind = name === null ? 'null' : typeof name;
  const article = /^(null|undefined)$/.test(kind) ? '' : 'a value of type ';
  return `the key is ${article}${kind}; it must be a string, such as lockKey\`order:\${id}\`.`;
}
