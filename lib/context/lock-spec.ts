import type { LockDecoratorOptions } from '../interfaces/lock-options.interface.js';
import type { LockKind } from '../interfaces/lock-kind.type.js';
import { compileKey, type CompiledKey, type KeyScope } from '../keys/compile-key.js';
import { checkOptions } from '../options/check-options.js';
import { DECORATOR_OPTIONS } from '../options/option-names.js';
import { checkFair } from '../options/check-fair.js';
import type { OwnSettings } from '../options/settings.interface.js';

/** What a decorator or an interceptor says of its lock, checked. */
export interface LockSpec {
  readonly kind: LockKind;
  /** Permits there are; 1 for a lock. */
  readonly limit: number;
  readonly namesOf: CompiledKey;
  readonly options: OwnSettings;
  /** For the logger of the module. */
  readonly warnings: readonly string[];
}

/** What may stand there. */
export interface SpecRules extends Partial<Omit<KeyScope, 'where'>> {
  /** Options; those of a decorator by default. */
  readonly allowed?: ReadonlySet<string>;
}

/**
 * @param where decorator and method, for messages
 * @throws LockKeyError, LockOptionsError
 */
export function lockSpec(
  key: unknown,
  given: LockDecoratorOptions | undefined,
  where: string,
  { allowed = DECORATOR_OPTIONS, ...scope }: SpecRules = {},
): LockSpec {
  const warnings: string[] = [];
  const options = checkOptions(given, where, allowed, warnings);
  const namesOf = compileKey(key, { where, several: true, self: true, ...scope });
  return { kind: 'lock', limit: 1, namesOf, options, warnings };
}

/** @throws LockOptionsError where the options say otherwise */
export function alwaysFair(spec: LockSpec, where: string): LockSpec {
  checkFair(spec.options, where);
  return { ...spec, options: { ...spec.options, fair: true } };
}
