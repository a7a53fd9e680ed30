import { LockOptionsError } from '../errors/lock-options.error.js';
import type { LockKind } from '../interfaces/lock-kind.type.js';
import { checkOneOf, wrongValue } from './check-value.js';

const checkChoice = checkOneOf('lock', 'semaphore');

/**
 * The kind of lock that a call is about; a lock where it does not say.
 *
 * @throws LockOptionsError
 */
export function checkKind(options: unknown, where: string): LockKind {
  if (options === undefined) return 'lock';
  if (typeof options !== 'object' || options === null) {
    throw wrongValue(options, 'the options argument', where, "it must be an object, such as { kind: 'semaphore' }");
  }
  const { kind = 'lock', ...rest } = options as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new LockOptionsError(`${where}: unknown option '${unknown}'; there is kind.`);
  return checkChoice(kind, 'kind', where) as LockKind;
}
